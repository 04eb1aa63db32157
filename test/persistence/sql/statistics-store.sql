-- readStatistics
select "run"."workspace_id" as "owner_id", "kind", "status", "outcome", count(*) as "count"
  from "run"
  where "run"."workspace_id" in ($1)
  and "run"."finished_at" >= $2
  and "run"."finished_at" < $3
  group by "run"."workspace_id", "kind", "status", "outcome"
  order by "status", "outcome";
with ended as materialized ((select "run"."id", "run"."workspace_id" as "owner_id", "run"."created_at",
    "run"."applied_at" from "run" where "run"."workspace_id" in ($1) and "run"."finished_at" >= $2 and
    "run"."finished_at" < $3)), took (owner_id, what, seconds) as ( select owner_id, 'lead', extract(epoch from
    applied_at - created_at) from ended where applied_at is not null union all select ended.owner_id, 'gates',
    sum(extract(epoch from phase.finished_at - phase.started_at)) from ended join phase on phase.run_id = ended.id
    where phase.kind in ('PLAN_APPROVAL', 'APPLY_APPROVAL') and phase.finished_at is not null group by ended.owner_id,
    ended.id union all select ended.owner_id, case phase.kind when 'PLAN' then 'plan' else 'apply' end, extract(epoch
    from phase.finished_at - phase.started_at) from ended join phase on phase.run_id = ended.id where phase.kind in
    ('PLAN', 'APPLY', 'DESTROY') and phase.status = 'PASSED' and phase.finished_at is not null )
  select owner_id, what, count(*) as count, sum(seconds)::float8 as total, percentile_cont(0.5) within group (order by
      seconds)::float8 as median, percentile_cont(0.95) within group (order by seconds)::float8 as p95
  from took
  group by owner_id, what;

-- readOrganizationStatistics
select "run"."organization_id" as "owner_id", "kind", "status", "outcome", count(*) as "count"
  from "run"
  where "run"."organization_id" in ($1)
  and "run"."finished_at" >= $2
  and "run"."finished_at" < $3
  and (("run"."organization_id" = any($4::text[]) and "run"."project_id" <> all($5::text[])) or "run"."project_id" =
      any($6::text[]) or "run"."workspace_id" = any($7::text[]))
  group by "run"."organization_id", "kind", "status", "outcome"
  order by "status", "outcome";
with ended as materialized ((select "run"."id", "run"."organization_id" as "owner_id", "run"."created_at",
    "run"."applied_at" from "run" where "run"."organization_id" in ($1) and "run"."finished_at" >= $2 and
    "run"."finished_at" < $3 and (("run"."organization_id" = any($4::text[]) and "run"."project_id" <>
    all($5::text[])) or "run"."project_id" = any($6::text[]) or "run"."workspace_id" = any($7::text[])))), took
    (owner_id, what, seconds) as ( select owner_id, 'lead', extract(epoch from applied_at - created_at) from ended
    where applied_at is not null union all select ended.owner_id, 'gates', sum(extract(epoch from phase.finished_at -
    phase.started_at)) from ended join phase on phase.run_id = ended.id where phase.kind in ('PLAN_APPROVAL',
    'APPLY_APPROVAL') and phase.finished_at is not null group by ended.owner_id, ended.id union all select
    ended.owner_id, case phase.kind when 'PLAN' then 'plan' else 'apply' end, extract(epoch from phase.finished_at -
    phase.started_at) from ended join phase on phase.run_id = ended.id where phase.kind in ('PLAN', 'APPLY',
    'DESTROY') and phase.status = 'PASSED' and phase.finished_at is not null )
  select owner_id, what, count(*) as count, sum(seconds)::float8 as total, percentile_cont(0.5) within group (order by
      seconds)::float8 as median, percentile_cont(0.95) within group (order by seconds)::float8 as p95
  from took
  group by owner_id, what;

-- measurement
with ended as materialized ((select "run"."id", "run"."workspace_id" as "owner_id", "run"."created_at",
    "run"."applied_at" from "run" where "run"."workspace_id" in ($1) and "run"."finished_at" >= $2 and
    "run"."finished_at" < $3)), took (owner_id, what, seconds) as ( select owner_id, 'lead', extract(epoch from
    applied_at - created_at) from ended where applied_at is not null union all select ended.owner_id, 'gates',
    sum(extract(epoch from phase.finished_at - phase.started_at)) from ended join phase on phase.run_id = ended.id
    where phase.kind in ('PLAN_APPROVAL', 'APPLY_APPROVAL') and phase.finished_at is not null group by ended.owner_id,
    ended.id union all select ended.owner_id, case phase.kind when 'PLAN' then 'plan' else 'apply' end, extract(epoch
    from phase.finished_at - phase.started_at) from ended join phase on phase.run_id = ended.id where phase.kind in
    ('PLAN', 'APPLY', 'DESTROY') and phase.status = 'PASSED' and phase.finished_at is not null )
  select owner_id, what, count(*) as count, sum(seconds)::float8 as total, percentile_cont(0.5) within group (order by
      seconds)::float8 as median, percentile_cont(0.95) within group (order by seconds)::float8 as p95
  from took
  group by owner_id, what;
