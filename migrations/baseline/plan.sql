-- Plans with their resource changes, phases, progress and approvals.

create table plan (
  id text primary key,
  run_id text not null references run,
  version integer not null,
  digest text not null,
  engine_name text not null,
  engine_version text not null,
  has_changes boolean not null,
  complete boolean not null,
  additions integer not null,
  changes integer not null,
  destructions integer not null,
  replacements integer not null,
  imports integer not null,
  moves integer not null,
  forgets integer not null,
  state_serial bigint not null,
  targets text[] not null,
  replace text[] not null default '{}',
  output_changes jsonb not null,
  text_zstd bytea not null,
  archive_blob_id text references blob,
  created_at timestamptz(3) not null,
  archive_expired_at timestamptz(3),
  -- All resource instances that the plan knows, changed or not: a target or an address to replace must match one of them.
  instances_zstd bytea,
  -- The first actions that the apply invokes, and how many there are.
  action_invocations jsonb not null default '[]',
  action_invocation_count integer not null default 0,
  -- Check blocks that failed or could not be evaluated.
  failed_check_count integer not null default 0,
  -- Apart from output_changes, which every read of a plan has: values may be large.
  output_values jsonb,
  unique (run_id, version)
);
create index plan_archive on plan (archive_blob_id);

create table resource_change (
  plan_id text references plan,
  position integer,
  address text not null,
  type text not null,
  name text not null,
  module text,
  action text not null,
  create_before_destroy boolean,
  previous_address text,
  imported boolean not null,
  before jsonb,
  after jsonb,
  sensitive_paths text[] not null,
  unknown_paths text[] not null,
  bytes integer not null default 0,
  digest text not null,
  replace_paths text[] not null default '{}',
  reason text,
  provider text,
  index text,
  deposed text,
  import_id text,
  -- Addresses of the resources on which it depends.
  depends_on text[] not null default '{}',
  primary key (plan_id, "position")
);

-- Errors and warnings of engines, by the job that reported them.
create table run_diagnostics (
  run_id text references run,
  job_id text,
  -- The plan that was made; null: none was, or it was applied.
  plan_version integer,
  diagnostics jsonb not null,
  primary key (run_id, job_id)
);

-- What something else changed since the last apply, as the plan found it.
create table resource_drift (
  plan_id text references plan,
  position integer,
  address text not null,
  type text not null,
  action text not null check (action in ('UPDATE', 'DELETE')),
  paths text[] not null,
  relevant boolean not null,
  before jsonb,
  after jsonb,
  sensitive_paths text[] not null,
  bytes integer not null,
  primary key (plan_id, "position")
);

-- The check blocks of a run: those of each of its plans, and those of the state after its apply.
create table check_report (
  run_id text references run,
  after_apply boolean,
  plan_version integer,
  workspace_id text not null references workspace,
  -- All, and those that failed or could not be evaluated.
  count integer not null,
  failed_count integer not null,
  -- The first ones, those that fail first.
  blocks jsonb not null,
  primary key (run_id, after_apply, plan_version)
);
create index check_report_applied on check_report (workspace_id, run_id) where after_apply;

-- The newest tests of a run, and what a hook found out about its deployment.
create table test_report (
  run_id text primary key references run,
  report jsonb not null
);

create table run_scan (
  run_id text primary key references run,
  scan jsonb not null
);

create table phase (
  id text primary key,
  run_id text not null references run,
  kind text not null,
  attempt integer not null,
  status text not null,
  runner_id text references runner,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  unique (run_id, kind, attempt)
);

-- `job_id` and `sequence` keep an older report from replacing a newer one; `reported_at` is when subscribers were last notified.
create table run_progress (
  run_id text references run,
  phase text,
  job_id text not null,
  sequence integer not null,
  total integer,
  done integer not null,
  failed integer not null,
  current jsonb not null,
  current_count integer not null,
  updated_at timestamptz(3) not null,
  reported_at timestamptz(3) not null,
  primary key (run_id, phase)
) with (fillfactor = 70);

create table approval (
  id text primary key,
  run_id text not null references run,
  gate text not null check (gate in ('PLAN', 'APPLY')),
  decision text not null check (decision in ('APPROVED', 'REJECTED', 'WITHDRAWN', 'OVERRIDDEN')),
  actor_id text not null references actor,
  comment text,
  plan_version integer not null,
  plan_digest text not null,
  at timestamptz(3) not null,
  stage text,
  apply_at timestamptz(3),
  position bigint generated always as identity,
  -- The approver at the time of the decision: its kind, its teams, and whether it had lately proved to be present.
  approver_kind text not null check (approver_kind in ('PERSON', 'UNIDENTIFIED', 'MACHINE')),
  team_ids text[] not null,
  present boolean not null,
  -- The sponsor as which it counted; null: it counted as itself.
  sponsor_id text references actor,
  check ((apply_at is null) or ((gate = 'APPLY') and (decision = 'APPROVED')))
);
create index approval_run on approval (run_id, id);
