-- Runs, their events, comments and declared secrets.

create table run (
  id text primary key,
  organization_id text not null references organization,
  workspace_id text not null references workspace,
  -- Of its workspace, so that lists of a project are read by an index.
  project_id text not null,
  number integer not null,
  kind text not null,
  status text not null,
  leg text not null,
  outcome text,
  trigger text not null,
  created_by text not null references actor,
  message text,
  revision text,
  -- The page of the commit at the git host.
  commit_url text,
  source_blob_id text references blob,
  -- The folder of the source in which the engine runs.
  work_folder text not null default '.',
  -- Of `source_inputs`; null: the source is no repository.
  inputs_digest text,
  variables_sealed bytea not null,
  targets text[] not null default '{}',
  replace text[] not null default '{}',
  version integer not null,
  status_version integer not null,
  plan_version integer not null default 0,
  -- The stages in run_stage of that plan version: most runs have none, and read none.
  stage_count integer not null default 0,
  attempt integer not null default 0,
  cancel_requested_by text references actor,
  cancel_requested_at timestamptz(3),
  forced boolean not null default false,
  holds_workspace boolean not null default false,
  origin_id text references run,
  -- The run by whose token this one was created, and the people behind it.
  acting_run_id text references run,
  requested_by text[],
  failure jsonb,
  reason text,
  created_at timestamptz(3) not null,
  status_at timestamptz(3) not null,
  started_at timestamptz(3),
  applying_at timestamptz(3),
  applied_at timestamptz(3),
  finished_at timestamptz(3),
  refresh_only boolean not null default false,
  command text,
  metadata jsonb not null default '{}',
  priority integer not null default 0,
  scheduled_at timestamptz(3),
  apply_at timestamptz(3),
  -- When the timekeeper must check the run again.
  alarm_at timestamptz(3),
  -- The limit that the run exceeded while a runner had it, and when the runner was asked to stop.
  expired_limit text check (expired_limit in ('RUN', 'SILENCE')),
  expired_at timestamptz(3),
  replanned_by text references actor,
  -- The blockers that subscribers were last notified of; empty since the status changed.
  reported_blockers text not null default '',
  escalated_at timestamptz(3),
  -- Of kind APPLY: the PLAN run whose plan it applies. `origin_id` is another run if it is a retry.
  plan_run_id text references run,
  -- The changeset that it belongs to, and what caused it, if that was neither a person nor a machine user.
  changeset_id text,
  cause jsonb,
  -- It waits for runs that come before it in its changeset, and since when it does not any more.
  awaits_upstream boolean not null default false,
  released_at timestamptz(3),
  -- The warnings of policies and checks about its newest plan that stop auto-apply.
  policy_warnings integer not null default 0,
  -- It waits at the plan gate because policies or checks ask.
  policy_asks boolean not null default false,
  -- The judgement that it waits for before its plan or its apply, and the last one that let it pass.
  awaited_check jsonb,
  judged jsonb,
  -- As they were when the run was created.
  hooks jsonb not null default '[]',
  -- The workspace was deleted: lists use indexes without these runs.
  hidden boolean not null default false,
  unique (workspace_id, number),
  check ((expired_limit is null) = (expired_at is null)),
  check ((command is not null) = (kind = 'TASK')),
  foreign key (workspace_id, inputs_digest) references source_inputs,
  constraint run_ended check ((finished_at is not null) = (status in ('FINISHED', 'FAILED', 'TIMED_OUT', 'REJECTED', 'DISCARDED', 'CANCELED', 'STOPPED', 'SKIPPED'))),
  constraint run_hold_live check ((not holds_workspace) or (finished_at is null))
) with (fillfactor = 80);
create index run_alarm on run (alarm_at) where alarm_at is not null;
create index run_awaiting_check on run (id) where awaited_check is not null;
create index run_of_changeset on run (changeset_id, id desc) where changeset_id is not null;
create index run_by_creator on run (created_by, id desc);
create index run_by_kind on run (kind, id desc);
create index run_by_status on run (status, id desc);
create index run_by_trigger on run (trigger, id desc);
create index run_applied on run (workspace_id) where applied_at is not null;
-- The last run of a workspace that has changed what is deployed, or failed to.
create index run_deployed on run (workspace_id, id desc) where (finished_at is not null) and (kind in ('DEPLOY', 'DESTROY', 'APPLY')) and ((applying_at is not null) or (status in ('FAILED', 'TIMED_OUT')));
create index run_ended on run (organization_id, finished_at, id) where finished_at is not null;
create index run_finished on run (workspace_id, finished_at) where finished_at is not null;
create unique index run_holder on run (workspace_id) where holds_workspace;
create index run_in_workspace on run (workspace_id, id desc);
create index run_live on run (workspace_id, organization_id) where finished_at is null;
create index run_live_check on run (workspace_id) where finished_at is null and trigger = 'DRIFT' and kind = 'PLAN';
create index run_metadata on run using gin (metadata jsonb_path_ops) where metadata <> '{}'::jsonb;
create index run_of_plan on run (plan_run_id) where plan_run_id is not null;
create index run_queued on run (workspace_id, priority desc, number) where status = 'QUEUED';
create index run_queued_plan on run (workspace_id, priority desc, number) where (status = 'QUEUED') and (kind = 'PLAN');
create index run_scheduled on run (scheduled_at) where (status = 'QUEUED') and (scheduled_at is not null);
create index run_shown on run (id desc) where not hidden;
create index run_shown_of_organization on run (organization_id, id desc) where not hidden;
create index run_shown_of_project on run (project_id, id desc) where not hidden;
create index run_source on run (source_blob_id);
-- The last run of a workspace that found nothing to change in the whole configuration.
create index run_unchanged on run (workspace_id, finished_at desc) where kind = 'DEPLOY' and outcome = 'NO_CHANGES' and not refresh_only;
create index run_waiting on run (workspace_id, priority desc, number) where status in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED');
-- Plans apart: a workspace may have thousands of queued deployments.
create index run_waiting_plan on run (workspace_id, priority desc, number) where (status in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED')) and (kind = 'PLAN');

create table run_event (
  run_id text references run deferrable initially deferred,
  version integer,
  type text not null,
  at timestamptz(3) not null,
  actor_id text not null,
  to_status text,
  data jsonb not null,
  primary key (run_id, version),
  check ((type = 'STATUS_CHANGED') = (to_status is not null))
);

create table run_comment (
  id text primary key,
  run_id text not null references run,
  actor_id text not null references actor,
  text text not null,
  at timestamptz(3) not null
);
create index run_comment_run on run_comment (run_id, id);

create table run_mask (
  run_id text references run,
  position integer,
  value_sealed bytea not null,
  created_at timestamptz(3) not null,
  primary key (run_id, "position")
);

create table idempotency_key (
  workspace_id text references workspace,
  actor_id text references actor,
  key text,
  request_digest text not null,
  run_id text not null references run deferrable initially deferred,
  created_at timestamptz(3) not null,
  primary key (workspace_id, actor_id, key)
);

alter table run add constraint run_newest_event foreign key (id, version) references run_event(run_id, version) deferrable initially deferred;

-- Every status of a run has its event. A foreign key would need a second index on the largest table.
create function run_status_event() returns trigger language plpgsql as $$
begin
  perform from run_event
    where run_id = new.id and version = new.status_version and to_status = new.status;
  if not found then
    raise exception 'run % is % without an event that says so', new.id, new.status using errcode = '23503';
  end if;
  return null;
end
$$;

-- Hiding is the one change of a run that has ended.
create function run_hide() returns trigger language plpgsql as $$
declare
  before run := old;
begin
  before.hidden := new.hidden;
  if before is distinct from new then
    raise exception 'run % changes, and is hidden at once', old.id using errcode = 'HP001';
  end if;
  return new;
end
$$;

create function set_run_project() returns trigger language plpgsql as $$
begin
  select project_id into new.project_id from workspace where id = new.workspace_id;
  return new;
end
$$;

create trigger run_event_actor before insert or update of actor_id on run_event for each row when (new.actor_id <> 'sys_00000000000000000000000000') execute function event_actor();
create trigger run_guard_hide before update on run for each row when (old.hidden <> new.hidden) execute function run_hide();
create constraint trigger run_status_event after insert or update of id, status, status_version on run deferrable initially deferred for each row execute function run_status_event();
create trigger run_project before insert on run for each row
  when (new.project_id is null) execute function set_run_project();
