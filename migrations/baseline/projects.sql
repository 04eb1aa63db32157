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
create index project_by_name on project (lower(name) collate "C") where deleted_at is null;
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

create trigger organization_project after insert on organization for each row execute function add_default_project();

create trigger project_counted after insert or delete or update of isolated, deleted_at on project
  for each statement execute function count_rights();
create trigger project_moved after update of parent_id, path on project for each statement execute function count_move();
