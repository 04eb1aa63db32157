-- Teams, roles, and grants of roles. Every change of them counts up the version of rights.

create table team (
  id text primary key,
  organization_id text not null references organization,
  name text not null,
  -- The groups of the identity provider whose people are members.
  external_ids text[] not null default '{}',
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index team_by_name on team (lower(name) collate "C") where deleted_at is null;
create unique index team_name on team (organization_id, name) where deleted_at is null;
create index team_external_ids on team using gin (external_ids) where deleted_at is null;

create table team_member (
  team_id text references team,
  actor_id text references actor,
  source text check (source in ('MANUAL', 'LOGIN')),
  added_at timestamptz(3) not null,
  -- When the identity provider last confirmed it, and when it lapses without another confirmation.
  confirmed_at timestamptz(3),
  lapses_at timestamptz(3),
  primary key (team_id, actor_id, source)
);
create index team_of_member on team_member (actor_id);

create table role (
  id text primary key,
  -- `null`: built in; src/model/people/role.ts has its permissions.
  organization_id text references organization,
  name text not null,
  description text,
  permissions text[] not null default '{}',
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create unique index role_name on role (organization_id, upper(name)) nulls not distinct where deleted_at is null;

insert into role (id, name, created_at) values
  ('role_00000000000000000000000001', 'READER', now()),
  ('role_00000000000000000000000002', 'PLANNER', now()),
  ('role_00000000000000000000000003', 'WRITER', now()),
  ('role_00000000000000000000000004', 'APPROVER', now()),
  ('role_00000000000000000000000005', 'OPERATOR', now()),
  ('role_00000000000000000000000006', 'MAINTAINER', now()),
  ('role_00000000000000000000000007', 'AUDITOR', now()),
  ('role_00000000000000000000000008', 'ADMIN', now());

create table access_grant (
  id text primary key,
  -- `null`: it holds on the installation.
  organization_id text references organization,
  -- An actor, a team, or a workspace for its own runs.
  principal_id text not null,
  role_id text not null references role,
  -- An organization, a project or a workspace; `null`: the installation.
  scope_id text,
  reason text,
  granted_by text not null references actor,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_by text references actor,
  check ((organization_id is null) = (scope_id is null)),
  check ((revoked_at is null) = (revoked_by is null))
);
create unique index access_grant_live on access_grant (principal_id, role_id, scope_id) nulls not distinct
  where revoked_at is null;
create index access_grant_of_organization on access_grant (organization_id, id) where revoked_at is null;
create index access_grant_of_scope on access_grant (scope_id, id) where revoked_at is null;

-- One row. `version` counts changes of rights; `moves` those in which something goes to another place in the tree.
create table access_epoch (
  singleton boolean primary key default true check (singleton),
  version bigint not null,
  moves bigint not null,
  -- The version before the transaction that counted last, and that transaction: one that changes rights itself is
  -- compared with the version from before its own changes.
  former bigint,
  counted_in xid8
);
insert into access_epoch (version, moves) values (1, 1);

create function count_rights() returns trigger language plpgsql as $$
begin
  update access_epoch set version = version + 1,
    former = case when counted_in = pg_current_xact_id() then former else version end,
    counted_in = pg_current_xact_id();
  return null;
end
$$;

create function count_move() returns trigger language plpgsql as $$
begin
  update access_epoch set version = version + 1, moves = moves + 1,
    former = case when counted_in = pg_current_xact_id() then former else version end,
    counted_in = pg_current_xact_id();
  return null;
end
$$;

create trigger grant_counted after insert or update or delete on access_grant for each statement execute function count_rights();
create trigger role_counted after insert or update or delete on role for each statement execute function count_rights();
create trigger team_counted after update of deleted_at on team for each statement execute function count_rights();
create trigger member_counted after insert or update or delete on team_member for each statement execute function count_rights();
create trigger actor_counted after update of disabled_at on actor for each statement execute function count_rights();
