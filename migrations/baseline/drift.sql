-- The reports of checks for drift, and what people have acknowledged.

create table drift_report (
  id text primary key,
  run_id text not null unique references run,
  workspace_id text not null references workspace,
  result text not null check (result in ('CLEAN', 'DRIFTED', 'ERRORED')),
  resource_count integer not null,
  output_count integer not null,
  ignored_count integer not null,
  fingerprint text not null,
  outputs text[] not null,
  created_at timestamptz(3) not null,
  -- A run that undoes the drift is to be created.
  reconcile_due boolean not null,
  changeset_id text references changeset
);
create index drift_report_of_workspace on drift_report (workspace_id, id);
create index drift_report_due on drift_report (id) where reconcile_due;
create index drift_report_changeset on drift_report (changeset_id) where changeset_id is not null;

create table drifted_resource (
  report_id text references drift_report,
  position integer,
  address text not null,
  type text not null,
  change text check (change in ('UPDATE', 'DELETE')),
  planned_action text,
  paths text[] not null,
  primary key (report_id, "position")
);

create table drift_acknowledgement (
  workspace_id text references workspace,
  fingerprint text,
  until timestamptz(3) not null,
  note text,
  actor_id text not null references actor,
  at timestamptz(3) not null,
  primary key (workspace_id, fingerprint)
);
