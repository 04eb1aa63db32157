-- Workspaces with their settings, variables and events.

create table workspace (
  id text primary key,
  organization_id text not null references organization,
  project_id text not null references project,
  name text not null,
  description text,
  source jsonb not null,
  plan_approval text not null check (plan_approval in ('ALWAYS', 'WHEN_REQUIRED')),
  auto_apply text not null check (auto_apply in ('NEVER', 'CREATE_ONLY', 'NO_DESTROY', 'ALWAYS')),
  paused boolean not null default false,
  lock_reason text check (lock_reason in ('MANUAL', 'APPLY_INTERRUPTED')),
  lock_run_id text,
  lock_actor_id text references actor,
  lock_note text,
  locked_at timestamptz(3),
  last_run_number integer not null default 0,
  state_serial bigint not null default 0,
  state_lineage text,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  lock_expires_at timestamptz(3),
  limits jsonb not null default '{}',
  approval_rules jsonb not null default '[]',
  freeze_windows jsonb not null default '[]',
  interrupt_apply boolean not null default false,
  tasks_allowed boolean not null default false,
  lock_scope text not null default 'RUN' check (lock_scope in ('RUN', 'EXECUTION')),
  runner_pool_id text references runner_pool,
  runner_labels text[] not null default '{}',
  hooks jsonb not null default '[]',
  runs_hidden boolean not null default false,
  labels text[] not null default '{}',
  -- The repository of a host, if the source names one.
  repository_id text generated always as (source ->> 'repositoryId') stored references repository,
  trigger jsonb not null default '{}',
  -- The open finding of the checks for drift.
  drift jsonb,
  drift_settings jsonb not null default '{}',
  -- What it manages is destroyed then, and it is deleted. The progress, and when the next step is due.
  expires_at timestamptz(3),
  expiry jsonb,
  expiry_due_at timestamptz(3),
  expiry_problem text,
  -- Whether outputs of other workspaces are variables of its runs (workspace_dependency.outputs).
  takes_outputs boolean not null default false,
  -- How its applies are verified, and how it goes back. Absent fields have the default.
  verification jsonb not null default '{}',
  rollback jsonb not null default '{}',
  -- Which tests of the configuration its runs execute.
  tests text not null default 'OFF' check (tests in ('OFF', 'PLAN_ONLY', 'ALL')),
  -- The shape of what it deploys: as people have set it, and as a hook found it.
  deploy_shape text check (deploy_shape in ('STATIC', 'STATIC_BUILD', 'SERVER', 'MULTI', 'EXISTING_DOCKER')),
  has_start_command boolean,
  found_shape text check (found_shape in ('STATIC', 'STATIC_BUILD', 'SERVER', 'MULTI', 'EXISTING_DOCKER')),
  found_start_command boolean,
  check ((lock_reason is null) = (locked_at is null)),
  constraint workspace_lock_expires check ((lock_expires_at is null) or (lock_reason = 'MANUAL'))
) with (fillfactor = 70);
create index workspace_by_name on workspace (lower(name) collate "C") where deleted_at is null;
create index workspace_expiry on workspace (expiry_due_at) where expiry_due_at is not null;
create index workspace_deleted on workspace (id) where deleted_at is not null;
-- A label `key:value` is found by its key as well.
create function label_terms(labels text[]) returns text[] language sql immutable strict parallel safe as $$
  select labels || array(select split_part(label, ':', 1) from unnest(labels) label where position(':' in label) > 0)
$$;
create index workspace_label on workspace using gin (label_terms(labels)) where labels <> '{}' and deleted_at is null;
-- Few: the inbox of each person begins with all of them.
create index workspace_interrupted on workspace (id) where lock_reason = 'APPLY_INTERRUPTED';
create index workspace_lock_end on workspace (lock_expires_at) where lock_expires_at is not null;
create unique index workspace_name on workspace (organization_id, name) where deleted_at is null;
create index workspace_repository on workspace (((source ->> 'url'::text))) where ((source ->> 'type') = 'git') and (deleted_at is null);
create index workspace_of_project on workspace (project_id, name) where deleted_at is null;
create index workspace_of_pool on workspace (runner_pool_id) where runner_pool_id is not null;
create index workspace_of_repository on workspace (repository_id) where repository_id is not null;
create index workspace_upload on workspace (((source ->> 'uploadId'::text))) where (source ->> 'uploadId') is not null;
create index workspace_with_shown_runs on workspace (id) where (deleted_at is not null) and (not runs_hidden);

-- A workspace without a project goes into the default one.
create function set_workspace_project() returns trigger language plpgsql as $$
begin
  new.project_id := default_project(new.organization_id);
  return new;
end
$$;

create trigger workspace_project before insert on workspace for each row
  when (new.project_id is null) execute function set_workspace_project();
create trigger workspace_moved after update of project_id on workspace for each statement execute function count_move();

-- The actor of what the runs of a workspace do.
alter table actor add column workspace_id text unique references workspace;

create table variable (
  workspace_id text references workspace,
  category text check (category in ('ENGINE', 'ENVIRONMENT')),
  key text,
  value_sealed bytea not null,
  sensitive boolean not null,
  hcl boolean not null,
  primary key (workspace_id, category, key)
);

-- Sensitive values that were replaced or deleted. The state may still hold them, so they are still masked.
create table former_secret (
  id bigint primary key generated always as identity,
  workspace_id text not null references workspace,
  value_sealed bytea not null,
  hcl boolean not null
);
create index former_secret_workspace on former_secret (workspace_id, id desc);

create table workspace_event (
  id bigint primary key generated always as identity,
  workspace_id text not null references workspace,
  at timestamptz(3) not null,
  actor_id text not null,
  fields text[] not null,
  -- The change of its health, if that is the event.
  health jsonb
);

-- The actor must exist. A foreign key would lock its row, and the system's actor is that of all runners: the writers
-- would share a multixact. The system's actor exists from the first migration on and is not checked.
create function event_actor() returns trigger language plpgsql as $$
begin
  perform from actor where id = new.actor_id;
  if not found then
    raise exception 'there is no actor %', new.actor_id using errcode = '23503';
  end if;
  return new;
end
$$;

create trigger workspace_event_actor before insert or update of actor_id on workspace_event for each row when (new.actor_id <> 'sys_00000000000000000000000000') execute function event_actor();
