-- readStatistics
select "workspace_id", "kind", "status", "outcome", count(*) as "count"
  from "run"
  where "run"."workspace_id" in ($1)
  and "run"."finished_at" >= $2
  and "run"."finished_at" < $3
  group by "workspace_id", "kind", "status", "outcome"
  order by "status", "outcome";
with ended as materialized ((select "run"."id", "run"."workspace_id", "run"."created_at", "run"."applied_at" from
    "run" where "run"."workspace_id" in ($1) and "run"."finished_at" >= $2 and "run"."finished_at" < $3)), took
    (workspace_id, what, seconds) as ( select workspace_id, 'lead', extract(epoch from applied_at - created_at) from
    ended where applied_at is not null union all select ended.workspace_id, 'gates', sum(extract(epoch from
    phase.finished_at - phase.started_at)) from ended join phase on phase.run_id = ended.id where phase.kind in
    ('PLAN_APPROVAL', 'APPLY_APPROVAL') and phase.finished_at is not null group by ended.workspace_id, ended.id union
    all select ended.workspace_id, case phase.kind when 'PLAN' then 'plan' else 'apply' end, extract(epoch from
    phase.finished_at - phase.started_at) from ended join phase on phase.run_id = ended.id where phase.kind in
    ('PLAN', 'APPLY', 'DESTROY') and phase.status = 'PASSED' and phase.finished_at is not null )
  select workspace_id, what, count(*) as count, sum(seconds)::float8 as total, percentile_cont(0.5) within group
      (order by seconds)::float8 as median, percentile_cont(0.95) within group (order by seconds)::float8 as p95
  from took
  group by workspace_id, what;

-- measurement
with ended as materialized ((select "run"."id", "run"."workspace_id", "run"."created_at", "run"."applied_at" from
    "run" where "run"."workspace_id" in ($1) and "run"."finished_at" >= $2 and "run"."finished_at" < $3)), took
    (workspace_id, what, seconds) as ( select workspace_id, 'lead', extract(epoch from applied_at - created_at) from
    ended where applied_at is not null union all select ended.workspace_id, 'gates', sum(extract(epoch from
    phase.finished_at - phase.started_at)) from ended join phase on phase.run_id = ended.id where phase.kind in
    ('PLAN_APPROVAL', 'APPLY_APPROVAL') and phase.finished_at is not null group by ended.workspace_id, ended.id union
    all select ended.workspace_id, case phase.kind when 'PLAN' then 'plan' else 'apply' end, extract(epoch from
    phase.finished_at - phase.started_at) from ended join phase on phase.run_id = ended.id where phase.kind in
    ('PLAN', 'APPLY', 'DESTROY') and phase.status = 'PASSED' and phase.finished_at is not null )
  select workspace_id, what, count(*) as count, sum(seconds)::float8 as total, percentile_cont(0.5) within group
      (order by seconds)::float8 as median, percentile_cont(0.95) within group (order by seconds)::float8 as p95
  from took
  group by workspace_id, what;
