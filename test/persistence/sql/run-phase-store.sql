-- findRunsWithPhases
select "run"."id", "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number", "run"."kind",
    "run"."status", "run"."outcome", "run"."trigger", "run"."created_by", "run"."message", "run"."created_at",
    "run"."started_at", "run"."finished_at", "phase"."id" as "phase_id", "phase"."kind" as "phase_kind",
    "phase"."attempt", "phase"."status" as "phase_status", "phase"."runner_id", "phase"."started_at" as
    "phase_started_at", "phase"."finished_at" as "phase_finished_at"
  from "run"
  left join "phase" on "phase"."run_id" = "run"."id"
  where "run"."id" = any((select $1::text[])::text[])
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  order by "phase"."id";
