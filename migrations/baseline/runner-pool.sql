-- Pools of runners, what lets runners in, and which runner takes which run.

create table runner_pool (
  id text primary key,
  organization_id text not null references organization,
  name text not null,
  description text,
  reserved boolean not null,
  -- How many checks for drift of workspaces that name the pool run at once; null: no limit of their own.
  drift_check_limit integer check (drift_check_limit > 0),
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index runner_pool_by_name on runner_pool (lower(name) collate "C") where deleted_at is null;
create index runner_pool_limited on runner_pool (organization_id) where drift_check_limit is not null and deleted_at is null;
create unique index runner_pool_name on runner_pool (organization_id, name) where deleted_at is null;

create table runner_token (
  id text primary key,
  pool_id text not null references runner_pool,
  name text not null,
  secret_hash bytea not null unique,
  created_by text not null references actor,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
) with (fillfactor = 50);
create unique index runner_token_name on runner_token (pool_id, name) where revoked_at is null;

create table runner (
  id text primary key,
  -- Unique over all pools: the name, behind the id of the pool if it has one.
  key text not null unique,
  pool_id text references runner_pool,
  name text not null,
  version text not null,
  last_seen_at timestamptz(3) not null,
  -- When it last asked for requests of external checks.
  checks_at timestamptz(3),
  -- When it last asked for probes.
  probes_at timestamptz(3),
  -- When a lease was last ended that the runner did not renew.
  lost_at timestamptz(3),
  instance text not null,
  labels text[] not null default '{}',
  slots integer not null default 1,
  draining boolean not null default false,
  drain_requested_at timestamptz(3),
  cycle_instance text,
  revoked_at timestamptz(3),
  engine_name text,
  engine_version text,
  check ((engine_name is null) = (engine_version is null))
) with (fillfactor = 50);
create index runner_of_pool on runner (pool_id, id);

-- Whether a runner of this pool with these labels may take a run that asks for `wanted` and `asked`. A run that names a
-- pool goes there alone; any other to shared runners and to the pools of its organization that are not reserved.
create function runner_takes(
  pool text,
  pool_organization text,
  reserved boolean,
  labels text[],
  organization text,
  wanted text,
  asked text[]
) returns boolean language sql immutable as $$
select asked <@ labels and case
  when wanted is not null then coalesce(wanted = pool, false)
  else pool is null or (pool_organization = organization and not reserved)
end
$$;
