-- Hosts of git repositories, their repositories, and the refs that were seen there.

-- `former_secret_used_at`: when the former secret last signed a delivery.
create table git_host (
  id text primary key,
  organization_id text not null references organization,
  kind text not null check (kind in ('BITBUCKET_CLOUD', 'BITBUCKET_SERVER', 'FORGEJO', 'GIT', 'GITEA', 'GITHUB', 'GITLAB')),
  name text not null,
  url text not null,
  credential text not null check (credential in ('APP', 'NONE', 'TOKEN', 'SSH_KEY')),
  credential_sealed bytea not null,
  hook_path text not null unique,
  hook_secret_sealed bytea not null,
  former_hook_secret_sealed bytea,
  former_hook_secret_until timestamptz(3),
  former_hook_secret_used_at timestamptz(3),
  created_by text not null references actor,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  check ((former_hook_secret_sealed is null) = (former_hook_secret_until is null))
);
create unique index git_host_name on git_host (organization_id, name) where deleted_at is null;

-- `remote_id`: the host's own id, known from the first authentic delivery. `last_change`: the number of the newest change
-- of a ref.
create table repository (
  id text primary key,
  organization_id text not null references organization,
  git_host_id text not null references git_host,
  name text not null,
  url text not null,
  remote_id text,
  default_branch text,
  last_change bigint not null default 0,
  created_by text not null references actor,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index repository_by_name on repository (lower(name) collate "C") where deleted_at is null;
create unique index repository_name on repository (git_host_id, name) where deleted_at is null;
create unique index repository_remote on repository (git_host_id, remote_id) where deleted_at is null;
create index repository_of_organization on repository (organization_id, name) where deleted_at is null;

-- The looks of a repository: reads of its refs. `wanted` and `done` count requests: a look is due while they differ, or at `next_at`.
-- `found_by`: of the newest five changes, the newest last, H if a hook told of it and P if polling found it.
-- `tags_seen`: whether the tags that are there are in git_ref.
create table repository_look (
  repository_id text primary key references repository,
  wanted bigint not null default 0,
  done bigint not null default 0,
  hooked bigint not null default 0,
  next_at timestamptz(3) not null,
  begun_at timestamptz(3),
  ended_at timestamptz(3),
  lease_by text,
  lease_until timestamptz(3),
  error text,
  failures integer not null default 0,
  found_by text not null default '',
  tags_seen boolean not null default false,
  check ((lease_by is null) = (lease_until is null))
) with (fillfactor = 50);

-- `oid` is null for a branch that is followed and not there.
create table git_ref (
  repository_id text references repository,
  ref text,
  oid text,
  seen_at timestamptz(3) not null,
  primary key (repository_id, ref)
);

-- A ref that moved. `forced` is null until it is decided. Until `decided_at` it is due at `decide_at`.
create table ref_change (
  id text primary key,
  repository_id text not null references repository,
  seq bigint not null,
  ref text not null,
  before text,
  after text,
  forced boolean,
  found_by text not null check (found_by in ('CALLER', 'HOOK', 'POLL')),
  found_at timestamptz(3) not null,
  decide_at timestamptz(3),
  decided_at timestamptz(3),
  failures integer not null default 0,
  error text,
  unique (repository_id, seq),
  check ((decided_at is null) = (decide_at is not null))
);
create index ref_change_due on ref_change (decide_at) where decide_at is not null;
create index ref_change_of_ref on ref_change (repository_id, ref, seq desc);

-- Deliveries of hosts, for a week: each counts once. Their bodies are not stored.
create table hint (
  git_host_id text references git_host,
  delivery_id text,
  event text not null,
  remote_id text not null,
  at timestamptz(3) not null,
  primary key (git_host_id, delivery_id)
);
create index hint_at on hint (at);
