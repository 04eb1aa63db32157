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
  -- All that had changes are applied, and something had. Null again where a member is tried again.
  applied_at timestamptz(3),
  -- When webhooks of the organization were notified that it is applied, as far as it lies outside of isolated projects. Once.
  announced_at timestamptz(3),
  discarded_at timestamptz(3),
  -- Its runs ended well: all that had changes are applied, or nothing had any. Null again where a member is tried again.
  passed_at timestamptz(3),
  -- The changeset whose commits it promotes.
  origin_id text references changeset,
  -- It has passed, and was not considered yet for the next stages of pipelines.
  promotable boolean not null default false,
  check ((command is not null) = (kind = 'TASK')),
  check ((idempotency_key is null) = (request_digest is null))
) with (fillfactor = 70);
create unique index changeset_key on changeset (created_by, idempotency_key) where idempotency_key is not null;
create index changeset_of_organization on changeset (organization_id, id desc);
create index changeset_due on changeset (id) where due;
create index changeset_promotable on changeset (id) where promotable;
create index changeset_passed on changeset (organization_id, passed_at desc, id desc) where passed_at is not null;
create index changeset_held on changeset (id) where held_at is not null;

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
  commit_url text,
  -- The run whose variables come with the source; null: those of the workspace are used.
  variables_of_run_id text references run,
  scheduled_at timestamptz(3),
  -- Why its run is not executed.
  skip_reason text,
  -- It is a member only because it depends on others: its run is skipped if nothing has changed for it.
  by_edge boolean not null default false,
  run_id text references run,
  problem text,
  -- Whether the problem is that a person did not want the run.
  discarded boolean not null default false,
  primary key (changeset_id, workspace_id),
  check (run_id is null or problem is null),
  check (problem is not null or not discarded)
) with (fillfactor = 80);
create index changeset_member_of_workspace on changeset_member (workspace_id);
create index changeset_member_open on changeset_member (changeset_id, wave, workspace_id) where run_id is null and problem is null;
create index changeset_member_run on changeset_member (run_id) where run_id is not null;
create index changeset_member_source on changeset_member (source_blob_id) where source_blob_id is not null;

-- What happened to a changeset as a whole, or to some of its workspaces at once. Changes of its runs are events of those.
create table changeset_event (
  id bigint primary key generated always as identity,
  changeset_id text not null references changeset,
  at timestamptz(3) not null,
  actor_id text not null,
  change text not null check (change in ('CREATED', 'HELD', 'CONTINUED', 'APPROVED', 'DISCARDED', 'RUN_NOT_CREATED', 'SUPERSEDED',
    'APPLIED', 'REOPENED')),
  gate text check (gate in ('PLAN', 'APPLY')),
  -- The workspaces that it concerns; null: all of the changeset.
  workspace_ids text[],
  check ((gate is not null) = (change = 'APPROVED'))
);
create trigger changeset_event_actor before insert or update of actor_id on changeset_event for each row when (new.actor_id <> 'sys_00000000000000000000000000') execute function event_actor();

alter table run add constraint run_changeset_id_fkey foreign key (changeset_id) references changeset;

-- Whether a run is a check for drift that was stopped because an apply began in its workspace.
create function run_overtaken(trigger text, superseded_by text) returns boolean
language sql immutable return trigger = 'DRIFT' and superseded_by is not null;

-- How far a member is: a copy of `standingOf` of the model, by the newest run and the problem of the member.
create function changeset_standing(
  problem text, discarded boolean, status text, leg text, outcome text, overtaken boolean
) returns text language sql immutable return case
  when status is null then case when problem is null then 'UNCREATED' when discarded then 'UNWANTED' else 'FAILED' end
  when status = 'SKIPPED' then 'SKIPPED'
  when overtaken and status in ('FINISHED', 'REJECTED', 'DISCARDED', 'CANCELED', 'STOPPED', 'FAILED', 'TIMED_OUT') then 'SKIPPED'
  when status = 'FINISHED' then case
    when outcome in ('APPLIED', 'DESTROYED', 'PERFORMED', 'UNLOCKED') then 'APPLIED'
    when outcome = 'PLANNED' then 'PLANNED'
    when outcome = 'APPLY_SKIPPED' then 'UNWANTED'
    else 'NO_CHANGES' end
  when status in ('REJECTED', 'DISCARDED', 'CANCELED') then 'UNWANTED'
  when status = 'STOPPED' and leg in ('PLAN', 'REPLAN') then 'UNWANTED'
  when status in ('FAILED', 'TIMED_OUT', 'STOPPED') then 'FAILED'
  when status in ('AWAITING_PLAN_APPROVAL', 'AWAITING_APPLY_APPROVAL') then 'WAITING'
  when status = 'CONFIRMED' or leg in ('APPLY', 'DESTROY') then 'APPROVED'
  when leg = 'TASK' and status in ('PREPARING', 'INITIALIZING', 'PLANNING', 'APPLYING', 'PERFORMING') then 'APPROVED'
  else 'UNPLANNED' end;

-- The state of a changeset by the standings of its members, of which these are the numbers: a copy of `stateOf` of the model.
create function changeset_state(
  workspaces bigint, ended bigint, failed bigint, unwanted bigint, applied bigint, planned bigint, waiting bigint, approved bigint,
  is_discarded boolean, is_superseded boolean
) returns text language sql immutable return case
  when ended < workspaces then case
    when approved + applied > 0 then 'APPLYING' when ended + waiting < workspaces then 'PLANNING' else 'PLANNED' end
  when applied > 0 then case when failed + unwanted > 0 then 'PARTLY_APPLIED' else 'APPLIED' end
  when failed > 0 then 'FAILED'
  when is_discarded then 'DISCARDED'
  when planned > 0 then 'PLANNED'
  when unwanted > 0 then case when is_superseded then 'SUPERSEDED' else 'DISCARDED' end
  else 'NO_CHANGES' end;

-- Notes whether all of a changeset is applied, and whether it has passed, when a run of it has ended. What waited for the run is
-- due, and what has newly passed may be promoted. Returns whether a worker has something to do, whether the changeset is
-- applied now and was not before, or the reverse, and whether webhooks are to be notified, which see no isolated projects. The row is locked first: of two members that end at once, the second sees both.
-- Members of deleted workspaces do not count, but for those that still wait for their run: the worker notes that they get none.
create function changeset_settle(whose text, at timestamptz) returns table (waits boolean, change text, announces boolean) language plpgsql as $$
declare
  former record;
  figures record;
  ripe boolean;
  applied boolean;
  announced boolean;
  apart text[];
begin
  select organization_id, applied_at, announced_at into former from changeset where id = whose for no key update;
  select array_agg(own.id) into apart from project line join project own on line.id = any(own.path)
    where line.organization_id = former.organization_id and line.isolated;
  select
      count(*) filter (where standing = 'UNCREATED' or awaits) as waiting,
      count(*) filter (where kept and standing in ('UNCREATED', 'UNPLANNED', 'WAITING', 'APPROVED')) as live,
      count(*) filter (where kept and standing in ('UNWANTED', 'FAILED')) as undone,
      count(*) filter (where kept and standing = 'APPLIED') as applied,
      count(*) filter (where shown and standing in ('UNCREATED', 'UNPLANNED', 'WAITING', 'APPROVED', 'UNWANTED', 'FAILED')) as shown_open,
      count(*) filter (where shown and standing = 'APPLIED') as shown_applied,
      bool_and(kind = 'DEPLOY' and standing in ('APPLIED', 'NO_CHANGES', 'SKIPPED')) filter (where kept)
        and bool_or(standing <> 'SKIPPED') filter (where kept) as passed
    into figures
    from (
      select changeset_standing(m.problem, m.discarded, r.status, r.leg, r.outcome, run_overtaken(r.trigger, r.superseded_by)) as standing, w.deleted_at is null as kept,
        w.deleted_at is null and (apart is null or w.project_id <> all(apart)) as shown, c.kind,
        r.awaits_upstream and r.finished_at is null as awaits
      from changeset_member m join changeset c on c.id = m.changeset_id join workspace w on w.id = m.workspace_id
        left join run r on r.id = m.run_id
      where m.changeset_id = whose
    ) member;
  applied := figures.live = 0 and figures.undone = 0 and figures.applied > 0;
  announced := former.announced_at is null and figures.shown_open = 0 and figures.shown_applied > 0;
  update changeset set
      due = due or held_at is null and figures.waiting > 0,
      applied_at = case when applied then coalesce(applied_at, at) end,
      announced_at = case when announced then at else announced_at end,
      passed_at = case when coalesce(figures.passed, false) then coalesce(passed_at, at) end,
      promotable = coalesce(figures.passed, false) and (promotable or passed_at is null and exists (
        select from promotion_pipeline p where p.organization_id = changeset.organization_id and p.deleted_at is null))
    where id = whose returning promotable into ripe;
  return query select figures.waiting > 0 or coalesce(ripe, false), case
    when applied and former.applied_at is null then 'APPLIED'
    when not applied and former.applied_at is not null then 'REOPENED' end, announced;
end
$$;
