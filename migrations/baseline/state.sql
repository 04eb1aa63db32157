-- States with their locks, versions, rollbacks and readings.

create table state_version (
  id text primary key,
  workspace_id text not null references workspace,
  serial bigint not null,
  lineage text not null,
  run_id text references run,
  job_id text references job,
  blob_id text not null references blob,
  outputs jsonb not null,
  created_at timestamptz(3) not null,
  resource_count integer,
  imported_by text references actor,
  -- The values that `outputs` does not show, by name; null if there are none.
  secret_outputs_sealed bytea,
  unique (workspace_id, serial),
  check (((run_id is null) = (job_id is null)) and ((run_id is null) = (imported_by is not null)))
);
create index state_version_blob on state_version (blob_id);

create table state_lock (
  workspace_id text primary key references workspace,
  lock_id text not null,
  info jsonb not null,
  run_id text references run,
  job_id text references job,
  created_at timestamptz(3) not null,
  actor_id text references actor,
  check (((run_id is null) = (job_id is null)) and ((run_id is null) = (actor_id is not null)))
);

create table state_rollback (
  run_id text primary key references run,
  state_version_id text not null references state_version,
  state_serial bigint not null
);

-- States that a runner sent after its lease had ended, kept beside the versions until a person decides.
create table recovered_state (
  id text primary key,
  workspace_id text not null references workspace,
  run_id text not null references run,
  job_id text not null references job,
  runner_id text not null references runner,
  blob_id text not null references blob,
  digest text not null,
  size bigint not null,
  serial bigint not null,
  lineage text not null,
  outputs jsonb not null,
  resource_count integer not null,
  received_at timestamptz(3) not null,
  decision text check (decision in ('ADOPTED', 'DISCARDED')),
  decided_by text references actor,
  decided_at timestamptz(3),
  note text,
  unique (job_id, digest),
  check (((decision is null) = (decided_by is null)) and ((decision is null) = (decided_at is null)))
);
create index recovered_state_blob on recovered_state (blob_id);
create index recovered_state_run on recovered_state (run_id, id);
create index recovered_state_undecided on recovered_state (workspace_id, id) where decision is null;

-- Readings of states by people, with the secrets in them.
create table state_reading (
  id bigint primary key generated always as identity,
  state_version_id text references state_version,
  recovered_state_id text references recovered_state,
  actor_id text not null references actor,
  -- The token or the session, which is removed after its end.
  credential_id text,
  way text not null check (way in ('DOWNLOAD', 'BACKEND', 'COMPARISON')),
  at timestamptz(3) not null,
  check (num_nonnulls(state_version_id, recovered_state_id) = 1)
);
create index state_reading_version on state_reading (state_version_id, id) where state_version_id is not null;
create index state_reading_recovered on state_reading (recovered_state_id, id) where recovered_state_id is not null;
