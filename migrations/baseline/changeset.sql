-- Changesets: one change over many workspaces.

create table changeset (
  id text primary key,
  organization_id text not null references organization,
  source text not null
    check (source in ('DEPENDENCY', 'INBOUND_HOOK', 'MANUAL', 'PROMOTION', 'PULL_REQUEST', 'PUSH', 'SCHEDULE', 'TAG')),
  title text not null,
  "commit" text,
  -- What its runs are asked to do.
  kind text not null check (kind in ('DEPLOY', 'DESTROY', 'PLAN', 'TASK')),
  trigger text not null,
  refresh_only boolean not null default false,
  command text,
  priority integer not null default 0,
  created_by text not null references actor,
  -- The token or the session under whose rights its runs are created; null: those of the system.
  credential_id text,
  idempotency_key text,
  request_digest text,
  created_at timestamptz(3) not null,
  -- Whether a worker has something to do: runs to create, or members to release.
  due boolean not null default true,
  -- Since when the creation of its runs waits for a person, because there are so many.
  held_at timestamptz(3),
  -- All that had changes are applied. Null again where a member is tried again.
  applied_at timestamptz(3),
  discarded_at timestamptz(3),
  superseded_by text references changeset,
  check ((command is not null) = (kind = 'TASK')),
  check ((idempotency_key is null) = (request_digest is null))
) with (fillfactor = 70);
create unique index changeset_key on changeset (created_by, idempotency_key) where idempotency_key is not null;
create index changeset_of_organization on changeset (organization_id, id desc);
create index changeset_due on changeset (id) where due;

-- One workspace of a changeset, and its newest run there. A member without a run waits for its creation, or has a problem.
create table changeset_member (
  changeset_id text references changeset,
  workspace_id text references workspace,
  -- Members of later waves wait for those of earlier ones.
  wave integer not null default 0 check (wave >= 0),
  cause jsonb,
  -- The source that its runs have; null: that of the workspace when the run is created.
  source_blob_id text references blob,
  -- The folder of the source in which the engine runs, and what is read of a repository.
  work_folder text,
  inputs_digest text,
  revision text,
  -- The run whose variables come with the source; null: those of the workspace are used.
  variables_of_run_id text references run,
  scheduled_at timestamptz(3),
  -- Why its run is not executed.
  skip_reason text,
  run_id text references run,
  problem text,
  primary key (changeset_id, workspace_id),
  check (run_id is null or problem is null)
) with (fillfactor = 80);
create index changeset_member_of_workspace on changeset_member (workspace_id);
create index changeset_member_open on changeset_member (changeset_id, wave, workspace_id) where run_id is null and problem is null;
create index changeset_member_run on changeset_member (run_id) where run_id is not null;
create index changeset_member_source on changeset_member (source_blob_id) where source_blob_id is not null;

alter table run add constraint run_changeset_id_fkey foreign key (changeset_id) references changeset;

-- Notes whether all of a changeset is applied, when a run of it has ended. What waited for the run is due; returns whether anything waits. The row is locked first: of two members that end at once, the second sees both.
create function changeset_settle(whose text, at timestamptz) returns boolean language plpgsql as $$
declare
  figures record;
begin
  perform from changeset where id = whose for no key update;
  select
      count(*) filter (where m.run_id is null and m.problem is null) as waiting,
      count(*) filter (where case when m.run_id is null then m.problem is null else r.finished_at is null end) as live,
      -- What ended in another way than well has changes that were not applied.
      count(*) filter (where m.problem is not null
        or r.finished_at is not null and r.status not in ('FINISHED', 'SKIPPED')) as undone
    into figures
    from changeset_member m left join run r on r.id = m.run_id
    where m.changeset_id = whose;
  update changeset set
      due = due or held_at is null and figures.waiting > 0,
      applied_at = case when figures.live = 0 and figures.undone = 0 and kind <> 'PLAN' then coalesce(applied_at, at) end
    where id = whose;
  return figures.waiting > 0;
end
$$;
