-- readFigures
begin;
select set_config('statement_timeout', $1, true);
select "status", count(*) as "count", extract(epoch from $1::timestamptz - min(status_at))::float8 as "oldest_seconds"
  from "run"
  group by "status";
select count(*) as "count"
  from "job"
  where "ended_at" is null;
select count(*) as "count"
  from "workspace"
  where "deleted_at" is null;
select "workspace_health"."health", count(*) as "count"
  from "workspace_health"
  inner join "workspace" on "workspace"."id" = "workspace_health"."workspace_id"
  where "workspace"."deleted_at" is null
  and exists (select "probe_target"."id" from "probe_target" where "probe_target"."workspace_id" =
      "workspace_health"."workspace_id")
  group by "workspace_health"."health";
commit;
