-- putTestReport
insert into "test_report" ("run_id", "report")
  values ($1, $2)
  on conflict ("run_id") do update
  set "report" = $3;

-- findTestReports
select *
  from "test_report"
  where "run_id" in ($1);
