-- Projects: a tree in each organization, with workspaces in it.

create table project (
  id text primary key,
  organization_id text not null references organization,
  parent_id text references project,
  name text not null,
  -- The ids from the top of the tree to this project.
  path text[] not null,
  -- Grants from above do not reach into it.
  isolated boolean not null default false,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  constraint project_depth check (cardinality(path) between 1 and 5),
  constraint project_path check (path[cardinality(path)] = id)
);
create unique index project_name on project (organization_id, parent_id, name) nulls not distinct where deleted_at is null;
create index project_of_parent on project (parent_id) where parent_id is not null;

-- Each organization has the project `default`, whose id repeats that of the organization.
create function default_project(organization_id text) returns text language sql immutable
  return 'prj_' || substr(organization_id, 5);

create function add_default_project() returns trigger language plpgsql as $$
begin
  insert into project (id, organization_id, name, path, created_at)
    values (default_project(new.id), new.id, 'default', array[default_project(new.id)], new.created_at);
  return null;
end
$$;

insert into project (id, organization_id, name, path, created_at)
  select default_project(id), id, 'default', array[default_project(id)], created_at from organization;
create trigger organization_project after insert on organization for each row execute function add_default_project();

-- A workspace without a project goes into the default one.
create function set_workspace_project() returns trigger language plpgsql as $$
begin
  new.project_id := default_project(new.organization_id);
  return new;
end
$$;

alter table workspace add column project_id text references project;
update workspace set project_id = default_project(organization_id);
alter table workspace alter column project_id set not null;
create trigger workspace_project before insert on workspace for each row
  when (new.project_id is null) execute function set_workspace_project();
create index workspace_of_project on workspace (project_id, name) where deleted_at is null;

-- A run has the project of its workspace, so that lists of a project are read by an index.
create function set_run_project() returns trigger language plpgsql as $$
begin
  select project_id into new.project_id from workspace where id = new.workspace_id;
  return new;
end
$$;

alter table run disable trigger run_guard_update;
alter table run add column project_id text;
update run set project_id = default_project(organization_id);
alter table run alter column project_id set not null;
create trigger run_project before insert on run for each row
  when (new.project_id is null) execute function set_run_project();
-- A workspace that moves takes its runs with it, those that have ended included.
drop trigger run_guard_update on run;
create trigger run_guard_update before update on run for each row
  when (old.hidden = new.hidden and old.project_id = new.project_id) execute function run_guard();
create index run_shown_of_project on run (project_id, id desc) where not hidden;
