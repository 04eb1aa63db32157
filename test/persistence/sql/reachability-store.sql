-- listStaleOrganizations
select distinct organization_id as id
  from (select d.* from (select distinct organization_id, pool_id, labels, reachable from dispatch where
      (dispatch.pool_id is not null or dispatch.labels <> '{}')) d where d.reachable <> exists (select from runner r
      left join runner_pool p on p.id = r.pool_id where runner_takes(r.pool_id, p.organization_id, p.reserved,
      r.labels, d.organization_id, d.pool_id, d.labels) and (r.revoked_at is null and p.deleted_at is null and not
      r.draining and r.drain_requested_at is null and r.last_seen_at >= $1))) w
  order by 1;

-- updateReachable
-- before the commit:
select 1
  from organization
  where id = $1
  for no key update;
with wrong as materialized (select * from (select d.* from (select distinct organization_id, pool_id, labels,
    reachable from dispatch where (dispatch.pool_id is not null or dispatch.labels <> '{}')) d where d.reachable <>
    exists (select from runner r left join runner_pool p on p.id = r.pool_id where runner_takes(r.pool_id,
    p.organization_id, p.reserved, r.labels, d.organization_id, d.pool_id, d.labels) and (r.revoked_at is null and
    p.deleted_at is null and not r.draining and r.drain_requested_at is null and r.last_seen_at >= $1))) w where
    organization_id = $2) update dispatch
  set reachable = not dispatch.reachable
  where run_id = any (array( select o.run_id from dispatch o join wrong on wrong.organization_id = o.organization_id
      and wrong.pool_id is not distinct from o.pool_id and wrong.labels = o.labels and wrong.reachable = o.reachable
      order by o.class, o.priority desc, o.turn limit $3 for update of o skip locked));
select dispatch_offer($1) as given;

-- findIdleSlot
select d.organization_id as id
  from (select distinct o.organization_id from dispatch o where (o.pool_id is not null or o.labels <> '{}') and
      o.offered and ("o"."pool_id" is null and "o"."labels" = '{}') is not true and not exists ( select from runner r
      left join runner_pool p on p.id = r.pool_id where runner_takes(r.pool_id, p.organization_id, p.reserved,
      r.labels, o.organization_id, o.pool_id, o.labels) and (r.revoked_at is null and p.deleted_at is null and not
      r.draining and r.drain_requested_at is null and r.last_seen_at >= $1) and r.slots > (select count(*) from job
      where job.runner_id = r.id and job.ended_at is null))) idle
  cross join lateral (select d.organization_id, d.class, d.priority, d.turn from dispatch d where d.organization_id =
      idle.organization_id and not d.offered and d.reachable and ("d"."pool_id" is null and "d"."labels" = '{}') and
      ("d"."class" < 3 or not exists ( select from runner_pool l where l.id = "d"."pool_id" and l.drift_check_limit is
      not null)) order by d.class, d.priority desc, d.turn limit 1) d
  order by d.class, d.priority desc, d.turn
  limit 1;

-- findIdleSlot: a runner of a pool
select d.organization_id as id
  from (select distinct o.organization_id from dispatch o where "o"."organization_id" = $1 and o.offered and
      ("o"."organization_id" = $2 and "o"."pool_id" = $3 and "o"."labels" <@ $4::text[]) is not true and not exists (
      select from runner r left join runner_pool p on p.id = r.pool_id where runner_takes(r.pool_id,
      p.organization_id, p.reserved, r.labels, o.organization_id, o.pool_id, o.labels) and (r.revoked_at is null and
      p.deleted_at is null and not r.draining and r.drain_requested_at is null and r.last_seen_at >= $5) and r.slots >
      (select count(*) from job where job.runner_id = r.id and job.ended_at is null))) idle
  cross join lateral (select d.organization_id, d.class, d.priority, d.turn from dispatch d where d.organization_id =
      idle.organization_id and not d.offered and d.reachable and ("d"."organization_id" = $6 and "d"."pool_id" = $7
      and "d"."labels" <@ $8::text[]) and ("d"."class" < 3 or not exists ( select from runner_pool l where l.id =
      "d"."pool_id" and l.drift_check_limit is not null)) order by d.class, d.priority desc, d.turn limit 1) d
  order by d.class, d.priority desc, d.turn
  limit 1;

-- moveIdleSlot
select 1
  from organization
  where id = $1
  for no key update;
select o.run_id
  from dispatch o
  where o.organization_id = $1
  and o.offered
  and ("o"."pool_id" is null and "o"."labels" = '{}') is not true
  and not exists ( select from runner r left join runner_pool p on p.id = r.pool_id where runner_takes(r.pool_id,
      p.organization_id, p.reserved, r.labels, o.organization_id, o.pool_id, o.labels) and (r.revoked_at is null and
      p.deleted_at is null and not r.draining and r.drain_requested_at is null and r.last_seen_at >= $2) and r.slots >
      (select count(*) from job where job.runner_id = r.id and job.ended_at is null))
  order by o.class desc, o.priority, o.turn desc
  limit 1
  for update of o skip locked;
select d.run_id
  from dispatch d
  where d.organization_id = $1
  and not d.offered
  and d.reachable
  and ("d"."pool_id" is null and "d"."labels" = '{}')
  and ("d"."class" < 3 or not exists ( select from runner_pool l where l.id = "d"."pool_id" and l.drift_check_limit is
      not null))
  order by d.class, d.priority desc, d.turn
  limit 1
  for update of d skip locked;
update dispatch
  set offered = (run_id = $1)
  where run_id in ($2, $3);
-- before the commit:
select dispatch_offer($1) as given;
select dispatch_offer($1) as given;
