-- newestAttempt
select max("attempt") as "attempt"
  from "phase"
  where "run_id" = $1
  and "kind" = $2;

-- findPhases
select "phase".*, "run"."organization_id", "run"."project_id", "run"."workspace_id"
  from "phase"
  inner join "run" on "run"."id" = "phase"."run_id"
  where "phase"."id" in ($1)
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null);

-- listPhases
select "id", "run_id", "kind", "attempt", "status", "runner_id", "started_at", "finished_at"
  from "phase"
  where "run_id" = any((select $1::text[])::text[])
  order by "id";
