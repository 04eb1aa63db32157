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
commit;
