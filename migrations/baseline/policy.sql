-- Policies: sets with their versions, the documents that they judge, what they found, and what people decided about it.

create table policy_set (
  id text primary key,
  organization_id text not null references organization,
  name text not null,
  description text,
  language text not null check (language in ('CEL', 'REGO_WASM')),
  dialect text not null check (dialect in ('HOLDPOINT', 'HCP', 'SPACELIFT', 'SCALR', 'CONFTEST', 'FORGECROFT')),
  -- The workspaces whose runs it judges.
  selector jsonb not null,
  on_error text not null check (on_error in ('FAIL_CLOSED', 'ASK', 'FAIL_OPEN')),
  judges_unchanged boolean not null default false,
  needs_whole_plan boolean not null default false,
  -- The people who may override its results, and how long an override holds.
  overriders jsonb not null,
  enabled boolean not null default true,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index policy_set_by_name on policy_set (lower(name) collate "C") where deleted_at is null;
-- Whether a selector selects a workspace for a kind of run, or for any (null). Each of its lists that is not empty must select
-- it: labels of one key are alternatives, and `*` and `?` of a name match any characters and one.
create function policy_selects(selector jsonb, id text, name text, labels text[], kind text) returns boolean
language sql immutable parallel safe as $$
  select not (selector -> 'excludedWorkspaceIds' ? id)
    and (selector -> 'workspaceIds' = '[]' or selector -> 'workspaceIds' ? id)
    and (kind is null or selector -> 'kinds' = 'null' or selector -> 'kinds' ? kind)
    and (selector -> 'names' = '[]' or exists (
      select from jsonb_array_elements_text(selector -> 'names') glob
      where name like replace(replace(replace(replace(replace(glob, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%'), '?', '_')))
    and not exists (
      select from jsonb_array_elements_text(selector -> 'labels') label
      group by split_part(label, ':', 1) having not bool_or(label = any(label_terms(labels))))
$$;
create unique index policy_set_name on policy_set (organization_id, name) where deleted_at is null;
create index policy_set_of_organization on policy_set (organization_id, id) where deleted_at is null;

-- A version never changes but for its state. `source`: rules in CEL; a compiled module is a blob.
create table policy_set_version (
  id text primary key,
  set_id text not null references policy_set,
  number integer not null,
  state text not null check (state in ('DRAFT', 'SHADOW', 'ACTIVE', 'RETIRED')),
  digest text not null,
  message text,
  source jsonb not null,
  module_blob_id text references blob,
  -- Each policy with its point, its level and what it needs; and the report of the tests.
  policies jsonb not null,
  tests jsonb not null default '[]',
  test_report jsonb,
  created_by text not null references actor,
  created_at timestamptz(3) not null,
  activated_at timestamptz(3),
  activated_by text references actor,
  check ((activated_at is null) = (activated_by is null)),
  -- The points at which it has a policy: each change of a run asks.
  at_create boolean not null generated always as (policies @> '[{"point": "RUN_CREATE"}]') stored,
  at_plan boolean not null generated always as (policies @> '[{"point": "PLAN"}]') stored,
  before_apply boolean not null generated always as (policies @> '[{"point": "PRE_APPLY"}]') stored,
  unique (set_id, number)
);
create unique index policy_set_version_active on policy_set_version (set_id) where state = 'ACTIVE';
create unique index policy_set_version_shadow on policy_set_version (set_id) where state = 'SHADOW';
create index policy_set_version_module on policy_set_version (module_blob_id) where module_blob_id is not null;

-- The document of a plan that tests of versions judge. It is a copy: that of the plan goes with its archive.
create table policy_fixture (
  id text primary key,
  set_id text not null references policy_set,
  name text not null,
  plan_id text not null references plan,
  blob_id text not null references blob,
  -- Beside the document: the run, its workspace and others.
  context jsonb not null,
  created_by text not null references actor,
  created_at timestamptz(3) not null,
  unique (set_id, name)
);
create index policy_fixture_blob on policy_fixture (blob_id);
create index policy_fixture_plan on policy_fixture (plan_id);

-- The engine's own description of a plan, masked: what policies and checks judge.
create table plan_document (
  plan_id text primary key references plan,
  -- null: retention has removed it, with the archive of the plan.
  blob_id text references blob,
  raw_bytes bigint not null,
  -- Parts that were left out because the plan is too large, or that could not be read.
  truncated text[] not null default '{}',
  -- The estimate of a hook, and that of an external check, which replaces it.
  cost jsonb,
  check_cost jsonb,
  created_at timestamptz(3) not null
);
create index plan_document_blob on plan_document (blob_id) where blob_id is not null;

-- One version at one point of a run; RUN_CREATE: before it was stored, with the plan version 0. `shadow`: it is recorded and decides nothing.
create table policy_evaluation (
  id text primary key,
  run_id text not null references run,
  point text not null check (point in ('RUN_CREATE', 'PLAN', 'PRE_APPLY')),
  plan_version integer not null,
  version_id text not null references policy_set_version,
  shadow boolean not null,
  status text not null check (status in ('PENDING', 'RUNNING', 'PASSED', 'WARNED', 'FAILED', 'ERRORED', 'CANCELED')),
  passed integer not null default 0,
  -- Results beyond the bound of a policy: counted, not stored.
  dropped integer not null default 0,
  error text,
  cpu_ms integer,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- The stream of the run has it.
  announced boolean not null default false,
  -- The server that judges it, and until when it has it.
  lease_id text,
  lease_until timestamptz(3),
  attempt integer not null default 0,
  unique (run_id, point, plan_version, version_id),
  check ((finished_at is not null) = (status not in ('PENDING', 'RUNNING'))),
  check ((lease_id is null) = (lease_until is null))
) with (fillfactor = 80);
create index policy_evaluation_due on policy_evaluation (shadow, id) where status in ('PENDING', 'RUNNING');
create index policy_evaluation_of_version on policy_evaluation (version_id, id desc);

-- A version, or rules that are not stored as one, over the documents of past plans.
create table policy_simulation (
  id text primary key,
  set_id text not null references policy_set,
  version_id text references policy_set_version,
  -- The rules in place of a version.
  source jsonb,
  state text not null check (state in ('RUNNING', 'STOPPED', 'FINISHED')),
  created_by text not null references actor,
  created_at timestamptz(3) not null,
  finished_at timestamptz(3),
  -- The server that works on it, and until when it has it.
  lease_id text,
  lease_until timestamptz(3),
  check ((version_id is null) = (source is not null)),
  check ((finished_at is not null) = (state <> 'RUNNING'))
) with (fillfactor = 70);
create index policy_simulation_running on policy_simulation (id) where state = 'RUNNING';
create index policy_simulation_of_set on policy_simulation (set_id, id desc);

create table policy_simulation_item (
  simulation_id text references policy_simulation,
  position integer,
  run_id text not null references run,
  plan_id text not null references plan,
  plan_version integer not null,
  -- The judgement of the plan by the set when it was made; null: there was none.
  before text check (before in ('PASSED', 'WARNED', 'FAILED', 'ERRORED', 'CANCELED')),
  -- The judgement now; UNKNOWN: the document of the plan was removed, or its runner sent none.
  after text check (after in ('PASSED', 'WARNED', 'FAILED', 'ERRORED', 'UNKNOWN')),
  findings jsonb not null default '[]',
  error text,
  done_at timestamptz(3),
  primary key (simulation_id, "position"),
  check ((after is not null) = (done_at is not null))
) with (fillfactor = 70);
create index policy_simulation_item_open on policy_simulation_item (simulation_id, "position") where done_at is null;

create table policy_result (
  id text primary key,
  evaluation_id text not null references policy_evaluation,
  position integer not null,
  policy text not null,
  rule text not null,
  level text not null check (level in ('ADVISORY', 'SOFT_MANDATORY', 'MANDATORY')),
  stops_auto_apply boolean not null,
  status text not null check (status in ('FAILED', 'WAIVED', 'ERROR')),
  message text not null,
  addresses text[] not null,
  addresses_inferred boolean not null default false,
  remediation text,
  -- Demanded approvers in place of a violation.
  approvers jsonb,
  trace jsonb,
  -- The SHA-256 of set, policy, rule, addresses and message: an override may hold for an equal violation.
  fingerprint bytea not null,
  exception_id text,
  unique (evaluation_id, position)
);
create index policy_result_fingerprint on policy_result (fingerprint);

-- Stages that were decided for one plan of a run, beside those of rules without a condition. They never change. For a run
-- without a plan of its own: the version of the plan that it applies, or 0.
create table run_stage (
  run_id text references run,
  plan_version integer,
  "position" integer,
  gate text not null check (gate in ('PLAN', 'APPLY')),
  source text not null check (source in ('RULE', 'POLICY', 'OVERRIDE')),
  name text not null,
  -- Why it is a stage of the run.
  reason text not null,
  -- The policy set or the external check that demands it.
  owner_id text,
  minimum integer not null,
  approver_ids text[] not null,
  team_ids text[] not null,
  exclude_requester boolean not null,
  distinct_from_plan_approver boolean not null,
  comment_required boolean not null,
  machines_count boolean not null,
  require_presence boolean not null,
  primary key (run_id, plan_version, "position"),
  check ((source = 'RULE') = (owner_id is null)),
  check ((source <> 'OVERRIDE') or (gate = 'PLAN'))
);

-- The failures that people overrode, and those of later plans for which an override holds. A decision is one of `approval`.
create table policy_override (
  run_id text references run,
  plan_version integer,
  -- The version of the policy set, or the external check: a failure of another version is another one.
  judge_id text,
  fingerprint bytea,
  approval_id text references approval,
  -- The policy set or the external check.
  owner_id text not null,
  -- The decision by which the same person withdrew it for this plan; then it holds for no other one either.
  withdrawal_id text references approval,
  primary key (run_id, plan_version, judge_id, fingerprint, approval_id)
);
create index policy_override_fingerprint on policy_override (fingerprint);
create index policy_override_approval on policy_override (approval_id);

-- Violations that people allow for some time. It is kept for good: results name it, and it shows who allowed what.
create table policy_exception (
  id text primary key,
  organization_id text not null references organization,
  set_id text not null references policy_set,
  policy text not null,
  rule text not null,
  address_glob text not null,
  workspace_ids text[] not null,
  reason text not null,
  ticket text,
  state text not null check (state in ('REQUESTED', 'APPROVED', 'REJECTED', 'REVOKED')),
  requested_by text not null references actor,
  -- The actor as which the requester counted at that time.
  requester_counts_as text not null references actor,
  requested_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  decided_by text references actor,
  decided_at timestamptz(3),
  decision_comment text,
  revoked_by text references actor,
  revoked_at timestamptz(3),
  revocation_comment text,
  -- When the webhooks for its approaching end were queued.
  announced_at timestamptz(3),
  check ((decided_by is null) = (decided_at is null)),
  check ((state not in ('APPROVED', 'REJECTED')) or (decided_at is not null)),
  check ((revoked_by is null) = (revoked_at is null)),
  check ((revoked_at is not null) = (state = 'REVOKED')),
  check (expires_at > requested_at)
);
create index policy_exception_of_set on policy_exception (set_id, id desc);
create index policy_exception_in_force on policy_exception (set_id, expires_at) where state = 'APPROVED';
create index policy_exception_to_announce on policy_exception (expires_at) where (state = 'APPROVED') and (announced_at is null);
