-- countLiveRuns
select run.organization_id, run.status, count(*) as count, (array_agg(run.id order by run.status_at, run.id) filter
    (where run.status in ('AWAITING_PLAN_APPROVAL', 'AWAITING_APPLY_APPROVAL')))[1] as oldest_id
  from run
  where run.organization_id = any($1::text[])
  and run.finished_at is null
  group by run.organization_id, run.status
  order by min(run.status_at), oldest_id /* planned each time */;

-- countLiveRuns: of a scope
select run.organization_id, run.status, count(*) as count, (array_agg(run.id order by run.status_at, run.id) filter
    (where run.status in ('AWAITING_PLAN_APPROVAL', 'AWAITING_APPLY_APPROVAL')))[1] as oldest_id
  from run
  where run.organization_id = any($1::text[])
  and run.finished_at is null
  and (("run"."organization_id" = any($2::text[]) and "run"."project_id" <> all($3::text[])) or "run"."project_id" =
      any($4::text[]) or "run"."workspace_id" = any($5::text[]))
  group by run.organization_id, run.status
  order by min(run.status_at), oldest_id /* planned each time */;

-- findPlaceUses
select organization.id, concurrency_limit as places, working.count + waiting.promised as busy, waiting.queue_length,
    ending.since as ending_since, job.ms as job_ms
  from organization
  cross join lateral ( select count(*) from job j where j.organization_id = organization.id and j.ended_at is null )
      working
  cross join lateral ( select count(*) filter (where offered) as promised, count(*) filter (where not offered) as
      queue_length from dispatch where dispatch.organization_id = organization.id ) waiting
  left join lateral ( select j.claimed_at as since from job j where j.organization_id = organization.id and j.ended_at
      is null order by j.claimed_at, j.id limit 1 offset greatest(working.count + waiting.promised -
      concurrency_limit, 0) ) ending on true
  cross join lateral ( select case when count(*) >= $1 then percentile_cont(0.5) within group (order by took) end as
      ms from (select extract(epoch from j.ended_at - j.claimed_at) * 1000 as took from job j where j.organization_id
      = "organization"."id" and j.ended_at is not null order by j.ended_at desc limit $2) j ) job
  where organization.id = any($3::text[]);
