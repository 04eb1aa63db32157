-- Pipelines: stages of workspaces through which commits move.

create table promotion_pipeline (
  id text primary key,
  organization_id text not null references organization,
  name text not null,
  -- In order, each with a name, a label of its workspaces, and when it gets the commits of the one before.
  stages jsonb not null,
  -- The actor under whose rights it promotes by itself.
  owner_id text not null references actor,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index promotion_pipeline_by_name on promotion_pipeline (lower(name) collate "C") where deleted_at is null;
create unique index promotion_pipeline_name on promotion_pipeline (organization_id, name) where deleted_at is null;
create index promotion_pipeline_of_organization on promotion_pipeline (organization_id, id) where deleted_at is null;

-- A changeset gets to a stage once. Without a changeset it soaks, has a problem, or was superseded.
create table promotion (
  origin_id text references changeset,
  pipeline_id text references promotion_pipeline,
  stage text,
  organization_id text not null references organization,
  -- When the origin was applied or proved to have no changes, and the repositories whose commits it moves.
  passed_at timestamptz(3) not null,
  repositories text[] not null,
  -- When the next stage gets the commits by itself; null: it has them, or does not get them.
  due_at timestamptz(3),
  changeset_id text references changeset,
  -- The newer origin.
  superseded_by text references changeset,
  problem text,
  primary key (origin_id, pipeline_id, stage),
  check (due_at is null or changeset_id is null and superseded_by is null),
  check (changeset_id is null or superseded_by is null and problem is null)
) with (fillfactor = 80);
create index promotion_due on promotion (due_at) where due_at is not null;
create index promotion_of_stage on promotion (pipeline_id, stage, passed_at desc);
