-- insertDriftReport
insert into "drift_report" ("id", "run_id", "workspace_id", "result", "resource_count", "output_count",
    "ignored_count", "fingerprint", "outputs", "created_at", "reconcile_due")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);
insert into "drifted_resource" ("report_id", "position", "address", "type", "change", "planned_action", "paths")
  values ($1, $2, $3, $4, $5, $6, $7);

-- findDriftReports
select "drift_report".*, "run"."organization_id", "run"."project_id", "run"."workspace_id"
  from "drift_report"
  inner join "run" on "run"."id" = "drift_report"."run_id"
  where "drift_report"."id" in ($1)
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null);

-- findReportsOfRuns
select *
  from "drift_report"
  where "run_id" in ($1);

-- findNewestReports
select "newest".*
  from "workspace"
  inner join lateral (select * from "drift_report" where "drift_report"."workspace_id" = "workspace"."id" order by
      "drift_report"."id" desc limit $1) as "newest" on true
  where "workspace"."id" in ($2);

-- listDriftedResources
select *
  from "drifted_resource"
  where "report_id" = $1
  order by "position" asc
  limit $2;

-- listDriftedResources: backward
select *
  from "drifted_resource"
  where "report_id" = $1
  and "position" > $2
  and "position" < $3
  order by "position" desc
  limit $4;

-- listDriftedAddresses
select "address"
  from "drifted_resource"
  where "report_id" = $1
  order by "position";

-- listDueReconciliations
select "id", "workspace_id"
  from "drift_report"
  where "reconcile_due" = $1
  and not exists (select "run"."id" from "run" where "run"."workspace_id" = "drift_report"."workspace_id" and
      "run"."finished_at" is null and "run"."kind" <> $2)
  order by "id"
  limit $3;

-- takeReconciliation
update "drift_report"
  set "reconcile_due" = $1
  where "id" = $2
  and "reconcile_due" = $3;

-- setReconciler
update "drift_report"
  set "changeset_id" = $1
  where "id" = $2;
