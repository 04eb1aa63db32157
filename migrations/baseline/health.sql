-- The health of what was applied: targets of probes, who probes them, and their samples.

-- Workspaces with probes that are sent all the time, or that had some.
create table workspace_health (
  workspace_id text primary key references workspace,
  health text not null default 'UNKNOWN' check (health in ('HEALTHY', 'DEGRADED', 'UNREACHABLE', 'UNKNOWN')),
  since timestamptz(3),
  reason text,
  -- Its targets have to be found anew: probes, outputs or variables have changed.
  stale boolean not null default true,
  -- What webhooks announced last, and when they announce what it is then.
  announced text not null default 'UNKNOWN' check (announced in ('HEALTHY', 'DEGRADED', 'UNREACHABLE', 'UNKNOWN')),
  announce_at timestamptz(3),
  check ((health = 'HEALTHY') = (reason is null) or since is null)
) with (fillfactor = 70);
create index workspace_health_stale on workspace_health (workspace_id) where stale;
create index workspace_health_announcement on workspace_health (announce_at) where announce_at is not null;

-- A target of a probe. It is written when its state changes, not for each sample.
create table probe_target (
  id integer primary key generated always as identity,
  workspace_id text not null references workspace,
  probe text not null,
  -- The element of a list of targets, from 0.
  number smallint not null,
  weight text not null check (weight in ('REQUIRED', 'INFORMATIONAL')),
  -- The probers that may have it, and its part of their work.
  pool text not null,
  shard smallint not null check (shard between 0 and 255),
  -- null: it is not known, for that reason.
  address text,
  unresolved text,
  request_sealed bytea,
  interval_ms integer not null,
  state jsonb not null,
  -- By its state and its prober.
  status text not null check (status in ('HEALTHY', 'DEGRADED', 'UNREACHABLE', 'UNKNOWN')),
  since timestamptz(3),
  reason text,
  -- No prober has it, and had it for some time.
  absent boolean not null default false,
  -- The newest sample that changed the state.
  sampled_at timestamptz(3),
  latency_ms integer,
  created_at timestamptz(3) not null,
  unique (workspace_id, probe, number),
  check ((address is null) = (unresolved is not null)),
  check ((address is null) = (request_sealed is null))
) with (fillfactor = 70);
create index probe_target_shard on probe_target (pool, shard) where address is not null;

-- A process that sends probes. Its lease is that of all its shards: one row is written for a heartbeat.
create table prober (
  id text primary key,
  pool text not null,
  -- null: a server probes.
  runner_id text,
  lease_until timestamptz(3) not null,
  -- It takes no more shards than it has.
  busy boolean not null default false
) with (fillfactor = 50);
create index prober_of_pool on prober (pool, lease_until);
create index prober_of_runner on prober (runner_id) where runner_id is not null;

-- The targets of a pool in 256 parts. Those without targets have no row.
create table probe_shard (
  pool text,
  shard smallint check (shard between 0 and 255),
  -- null: no prober has it, since `left_at`.
  prober_id text,
  -- Counts its leases: a report of an older one writes nothing.
  fence integer not null default 0,
  -- Counts the changes of its targets.
  version integer not null default 0,
  left_at timestamptz(3),
  primary key (pool, shard),
  check ((prober_id is null) = (left_at is not null))
) with (fillfactor = 60);
create index probe_shard_of_prober on probe_shard (prober_id) where prober_id is not null;
create index probe_shard_left on probe_shard (left_at) where left_at is not null;

-- Samples of five minutes, packed, in a partition for each day. Ordered by time: all writes go to the end of the index, and
-- the buckets of a target have known beginnings. No foreign key: a partition is dropped as a whole.
create table health_bucket (
  bucket_at timestamptz(3),
  target_id integer,
  -- That of the shard: a later prober adds to the bucket of an earlier one.
  fence integer not null,
  samples smallint not null,
  bad smallint not null,
  held smallint not null,
  median_ms integer,
  max_ms integer,
  packed bytea not null,
  primary key (bucket_at, target_id)
) partition by range (bucket_at);
-- For days without a partition of their own.
create table health_bucket_other partition of health_bucket default;

create table health_hour (
  bucket_at timestamptz(3),
  target_id integer,
  samples integer not null,
  bad integer not null,
  held integer not null,
  median_ms integer,
  max_ms integer,
  primary key (bucket_at, target_id)
);

create table health_day (
  bucket_at timestamptz(3),
  target_id integer,
  samples integer not null,
  bad integer not null,
  held integer not null,
  median_ms integer,
  max_ms integer,
  primary key (bucket_at, target_id)
);

-- Until when samples are in each of the two tables above.
create table health_rollup (
  unit text primary key check (unit in ('hour', 'day')),
  done_until timestamptz(3) not null
);

-- What targets depend on has changed. Always an update: a row that is stale already may be read at the moment.
create function health_stale(workspace text) returns void language sql
begin atomic
  update workspace_health set stale = true where workspace_id = workspace;
end;

create function health_probe() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform health_stale(old.workspace_id);
  elsif new.use <> 'VERIFY' then
    insert into workspace_health (workspace_id) values (new.workspace_id)
      on conflict (workspace_id) do update set stale = true;
  end if;
  return null;
end
$$;

create function health_value() returns trigger language plpgsql as $$
begin
  perform health_stale(case when tg_op = 'DELETE' then old.workspace_id else new.workspace_id end);
  return null;
end
$$;

create function health_workspace() returns trigger language plpgsql as $$
begin
  perform health_stale(new.id);
  return null;
end
$$;

create trigger health_probe after insert or delete on probe for each row execute function health_probe();
create trigger health_state after insert on state_version for each row execute function health_value();
create trigger health_variable after insert or update or delete on variable for each row execute function health_value();
create trigger health_workspace after update of runner_pool_id, deleted_at on workspace for each row
  when (old.runner_pool_id is distinct from new.runner_pool_id or old.deleted_at is distinct from new.deleted_at)
  execute function health_workspace();
