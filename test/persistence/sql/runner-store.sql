-- seeRunner
update runner r
  set last_seen_at = $1
  where r.key = $2
  and r.revoked_at is null
  and r.last_seen_at >= $3
  and r.version = $4
  and r.instance = $5
  and r.labels = $6::text[]
  and r.slots = $7
  and r.draining = $8
  and r.engine_name is not distinct
  from $9
  and r.engine_version is not distinct
  from $10
  and r.pool_id is null
  returning r.id, r.drain_requested_at is not null as drain_requested, coalesce(r.cycle_instance = r.instance, false)
      as cycled, r.last_seen_at as former_at, r.labels as former_labels, r.draining as former_draining, null as
      organization_id, null::boolean as reserved;
with door as ( select p.organization_id, p.reserved from runner_token t join runner_pool p on p.id = t.pool_id where
    false ), former as ( select last_seen_at, labels, draining from runner where key = $1 ), seen as ( insert into
    runner (id, key, pool_id, name, version, instance, labels, slots, draining, engine_name, engine_version,
    last_seen_at) select $2, $3, $4, $5, $6, $7, $8::text[], $9::integer, $10::boolean, $11, $12, $13::timestamptz
    where $14::text is null or exists (select from door) on conflict (key) do update set version = excluded.version,
    instance = excluded.instance, labels = excluded.labels, slots = excluded.slots, draining = excluded.draining,
    engine_name = excluded.engine_name, engine_version = excluded.engine_version, last_seen_at = excluded.last_seen_at
    where runner.revoked_at is null and runner.pool_id is not distinct from excluded.pool_id returning id,
    drain_requested_at is not null as drain_requested, coalesce(cycle_instance = instance, false) as cycled )
  select seen.*, former.last_seen_at as former_at, former.labels as former_labels, former.draining as former_draining,
      door.organization_id, door.reserved
  from (select 1) one
  left join seen on true
  left join former on true
  left join door on true;

-- seeRunner: again
update runner r
  set last_seen_at = $1
  where r.key = $2
  and r.revoked_at is null
  and r.last_seen_at >= $3
  and r.version = $4
  and r.instance = $5
  and r.labels = $6::text[]
  and r.slots = $7
  and r.draining = $8
  and r.engine_name is not distinct
  from $9
  and r.engine_version is not distinct
  from $10
  and r.pool_id is null
  returning r.id, r.drain_requested_at is not null as drain_requested, coalesce(r.cycle_instance = r.instance, false)
      as cycled, r.last_seen_at as former_at, r.labels as former_labels, r.draining as former_draining, null as
      organization_id, null::boolean as reserved;

-- seeRunner: of a pool
update runner r
  set last_seen_at = $1
  from runner_token t
  join runner_pool p on p.id = t.pool_id
  where r.key = $2
  and r.revoked_at is null
  and r.last_seen_at >= $3
  and r.version = $4
  and r.instance = $5
  and r.labels = $6::text[]
  and r.slots = $7
  and r.draining = $8
  and r.engine_name is not distinct
  from $9
  and r.engine_version is not distinct
  from $10
  and r.pool_id = p.id
  and t.id = $11
  and p.id = $12
  and p.deleted_at is null
  and t.revoked_at is null
  and (t.expires_at is null or t.expires_at > $13)
  returning r.id, r.drain_requested_at is not null as drain_requested, coalesce(r.cycle_instance = r.instance, false)
      as cycled, r.last_seen_at as former_at, r.labels as former_labels, r.draining as former_draining,
      p.organization_id, p.reserved;
with door as ( select p.organization_id, p.reserved from runner_token t join runner_pool p on p.id = t.pool_id where
    t.id = $1 and p.id = $2 and p.deleted_at is null and t.revoked_at is null and (t.expires_at is null or
    t.expires_at > $3) ), former as ( select last_seen_at, labels, draining from runner where key = $4 ), seen as (
    insert into runner (id, key, pool_id, name, version, instance, labels, slots, draining, engine_name,
    engine_version, last_seen_at) select $5, $6, $7, $8, $9, $10, $11::text[], $12::integer, $13::boolean, $14, $15,
    $16::timestamptz where $17::text is null or exists (select from door) on conflict (key) do update set version =
    excluded.version, instance = excluded.instance, labels = excluded.labels, slots = excluded.slots, draining =
    excluded.draining, engine_name = excluded.engine_name, engine_version = excluded.engine_version, last_seen_at =
    excluded.last_seen_at where runner.revoked_at is null and runner.pool_id is not distinct from excluded.pool_id
    returning id, drain_requested_at is not null as drain_requested, coalesce(cycle_instance = instance, false) as
    cycled )
  select seen.*, former.last_seen_at as former_at, former.labels as former_labels, former.draining as former_draining,
      door.organization_id, door.reserved
  from (select 1) one
  left join seen on true
  left join former on true
  left join door on true;

-- touchRunner
update "runner"
  set "last_seen_at" = $1
  where "id" = $2;

-- noteLostRunner
update "runner"
  set "lost_at" = $1
  where "id" = $2;

-- findRunners
select "runner".*, (select organization_id from runner_pool where runner_pool.id = runner.pool_id) as
    "pool_organization_id", (select count(*) from job where job.runner_id = runner.id and job.ended_at is null) as
    "job_count"
  from "runner"
  where "runner"."id" in ($1);

-- listRunners
select "runner".*, (select organization_id from runner_pool where runner_pool.id = runner.pool_id) as
    "pool_organization_id", (select count(*) from job where job.runner_id = runner.id and job.ended_at is null) as
    "job_count"
  from "runner"
  where (runner.pool_id is null or runner.pool_id in (select id from runner_pool where organization_id = $1))
  order by "runner"."id" asc
  limit $2;

-- listRunners: backward, of a pool
select "runner".*, (select organization_id from runner_pool where runner_pool.id = runner.pool_id) as
    "pool_organization_id", (select count(*) from job where job.runner_id = runner.id and job.ended_at is null) as
    "job_count"
  from "runner"
  where runner.pool_id = $1
  and "runner"."id" > $2
  and "runner"."id" < $3
  order by "runner"."id" desc
  limit $4;

-- listRunnerJobs
select "id", "run_id", "runner_id", "leg", "claimed_at", "expires_at"
  from "job"
  where "runner_id" in ($1)
  and "ended_at" is null
  order by "id";

-- lockRunner
select "id", "pool_id", "instance", (select organization_id from runner_pool where runner_pool.id = runner.pool_id) as
    "pool_organization_id"
  from "runner"
  where "id" = $1
  for update;

-- orderRunner
update "runner"
  set "drain_requested_at" = $1
  where "id" = $2;

-- runnersSeenAt
select max("last_seen_at") as "at"
  from "runner";
