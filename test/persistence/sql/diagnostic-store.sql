-- insertDiagnostics
insert into "run_diagnostics" ("run_id", "job_id", "plan_version", "diagnostics")
  values ($1, $2, $3, $4);

-- listRunDiagnostics
select "run_diagnostics"."run_id", "run_diagnostics"."diagnostics"
  from "run_diagnostics"
  inner join "run" on "run"."id" = "run_diagnostics"."run_id"
  where "run_diagnostics"."run_id" in ($1)
  and ("run_diagnostics"."plan_version" is null or "run_diagnostics"."plan_version" = "run"."plan_version")
  order by "run_diagnostics"."job_id";

-- listPlanDiagnostics
select "plan"."id", "run_diagnostics"."diagnostics"
  from "plan"
  inner join "run_diagnostics" on "run_diagnostics"."run_id" = "plan"."run_id"
  and "run_diagnostics"."plan_version" = "plan"."version"
  where "plan"."id" in ($1);
