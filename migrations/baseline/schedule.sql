-- Schedules, and the due times that were considered.

create table schedule (
  id text primary key,
  organization_id text not null references organization,
  workspace_id text references workspace,
  label text,
  -- The stage that gets the newest commits of the one before.
  pipeline_id text references promotion_pipeline,
  stage text,
  name text not null,
  cron text not null,
  time_zone text not null,
  spread_minutes integer not null check (spread_minutes >= 0),
  misfire text not null check (misfire in ('ONCE', 'SKIP')),
  action text not null check (action in ('DESTROY', 'DETECT_DRIFT', 'PROMOTE', 'RECONCILE', 'RUN', 'TASK')),
  command text,
  enabled boolean not null,
  -- The actor under whose rights its runs are created.
  owner_id text not null references actor,
  created_at timestamptz(3) not null,
  -- Null: it is disabled, deleted, or never due again.
  next_at timestamptz(3),
  last_at timestamptz(3),
  last_changeset_id text references changeset,
  last_problem text,
  deleted_at timestamptz(3),
  check (num_nonnulls(workspace_id, label, pipeline_id) = 1),
  check ((pipeline_id is not null) = (action = 'PROMOTE') and (stage is null) = (pipeline_id is null)),
  check ((command is not null) = (action = 'TASK')),
  check (next_at is null or (enabled and deleted_at is null))
) with (fillfactor = 80);
create index schedule_due on schedule (next_at) where next_at is not null;
create index schedule_of_organization on schedule (organization_id, id) where deleted_at is null;
create index schedule_of_workspace on schedule (workspace_id, id) where deleted_at is null and workspace_id is not null;

-- A due time counts once, on however many servers.
create table schedule_firing (
  schedule_id text references schedule,
  due_at timestamptz(3),
  at timestamptz(3) not null,
  changeset_id text references changeset,
  problem text,
  primary key (schedule_id, due_at)
);

-- Addresses at which other systems make runs.
create table inbound_hook (
  id text primary key,
  organization_id text not null references organization,
  name text not null,
  workspace_ids text[] not null,
  kind text not null check (kind in ('DEPLOY', 'PLAN')),
  mapping jsonb not null,
  secret_sealed bytea not null,
  former_secret_sealed bytea,
  former_secret_until timestamptz(3),
  owner_id text not null references actor,
  created_at timestamptz(3) not null,
  last_at timestamptz(3),
  last_problem text,
  deleted_at timestamptz(3),
  check ((former_secret_sealed is null) = (former_secret_until is null))
);
create index inbound_hook_kept on inbound_hook (organization_id, id) where deleted_at is null;

-- What was accepted: a delivery counts once.
create table inbound_delivery (
  hook_id text references inbound_hook,
  delivery_id text,
  at timestamptz(3) not null,
  changeset_id text references changeset,
  primary key (hook_id, delivery_id)
);
create index inbound_delivery_age on inbound_delivery (hook_id, at);
