-- insertCheckReport
insert into "check_report" ("run_id", "workspace_id", "plan_version", "after_apply", "count", "failed_count",
    "blocks")
  values ($1, $2, $3, $4, $5, $6, $7);

-- findCheckReports
select "run"."id", "check_report"."after_apply", "check_report"."count", "check_report"."failed_count",
    "check_report"."blocks"
  from "run"
  inner join lateral (select "check_report"."after_apply", "check_report"."count", "check_report"."failed_count",
      "check_report"."blocks" from "check_report" where ("run_id" = "run"."id" or "run_id" = "run"."plan_run_id") and
      (("after_apply" = $1 and "run_id" = "run"."id") or ("after_apply" = $2 and "plan_version" =
      "run"."plan_version")) order by "after_apply" desc limit $3) as "check_report" on true
  where "run"."id" in ($4);

-- findAppliedCheckReports
select "workspace"."id", "check_report"."after_apply", "check_report"."count", "check_report"."failed_count",
    "check_report"."blocks"
  from "workspace"
  inner join lateral (select "check_report"."run_id", "check_report"."after_apply", "check_report"."count",
      "check_report"."failed_count", "check_report"."blocks" from "check_report" where "check_report"."workspace_id" =
      "workspace"."id" and "after_apply" = $1 order by "run_id" desc limit $2) as "check_report" on true
  where "workspace"."id" in ($3)
  and not exists (select "run"."id" from "run" where "run"."workspace_id" = "workspace"."id" and "run"."id" >
      "check_report"."run_id" and "run"."applied_at" is not null);
