-- renewProber
insert into prober as p (id, pool, runner_id, lease_until, busy)
  values ($1, $2, $3, $4, $5)
  on conflict (id) do update
  set runner_id = excluded.runner_id, lease_until = excluded.lease_until, busy = excluded.busy
  where p.pool = excluded.pool
  returning 1;

-- lockProber
select "id"
  from "prober"
  where "id" = $1
  and "pool" = $2
  for no key update;

-- touchShards
insert into probe_shard as s (pool, shard, left_at)
  select distinct pool, shard, $1::timestamptz
  from unnest($2::text[], $3::smallint[]) as p (pool, shard)
  order by pool, shard
  on conflict (pool, shard) do update
  set version = s.version + 1;

-- countShards
select (select count(*) from probe_shard where pool = $1 and exists ( select from probe_target t where t.pool =
    probe_shard.pool and t.shard = probe_shard.shard and t.address is not null )) as shards, (select count(*) from
    prober where pool = $2 and id <> $3 and not busy) as others;

-- claimShards
update probe_shard
  set prober_id = $1, fence = fence + 1, left_at = null
  where (pool, shard) in ( select pool, shard from probe_shard where pool = $2 and prober_id is null and exists (
      select from probe_target t where t.pool = probe_shard.pool and t.shard = probe_shard.shard and t.address is not
      null ) order by left_at, shard limit $3 for update skip locked );

-- listShards
select s.shard, s.fence, s.version, coalesce(( select sum(1000.0 / t.interval_ms) from probe_target t where t.pool =
    s.pool and t.shard = s.shard and t.address is not null ), 0)::float as "perSecond"
  from probe_shard s
  where s.prober_id = $1
  order by s.shard;

-- leaveShards
update "probe_shard"
  set "prober_id" = $1, "left_at" = $2
  where "pool" = $3
  and "prober_id" = $4
  and "shard" in ($5);

-- freeShards
with dead as ( delete from prober where id in ( select id from prober where pool = $1 and (lease_until <=
    $2::timestamptz or lease_until > $3::timestamptz + '90000 milliseconds'::interval) for update skip locked )
    returning id, least(lease_until, $4::timestamptz) - '45000 milliseconds'::interval as seen_at ) update probe_shard
    s
  set prober_id = null, left_at = dead.seen_at
  from dead
  where s.prober_id = dead.id;

-- freeShards: of all pools
with dead as ( delete from prober where id in ( select id from prober where true and (lease_until <= $1::timestamptz
    or lease_until > $2::timestamptz + '90000 milliseconds'::interval) for update skip locked ) returning id,
    least(lease_until, $3::timestamptz) - '45000 milliseconds'::interval as seen_at ) update probe_shard s
  set prober_id = null, left_at = dead.seen_at
  from dead
  where s.prober_id = dead.id;

-- holdRunner
select "id"
  from "runner"
  where "id" = $1
  and "revoked_at" is null
  for key share;

-- removeProbers: of a runner
with gone as (delete from prober where runner_id = $1 returning id) update probe_shard s
  set prober_id = null, left_at = $2
  from gone
  where s.prober_id = gone.id;

-- removeProbers
with gone as (delete from prober where id = $1 and pool = $2 returning id) update probe_shard s
  set prober_id = null, left_at = $3
  from gone
  where s.prober_id = gone.id;
