-- findPlanId
select "id"
  from "plan"
  where "run_id" = $1
  and "version" = $2;

-- insertPlan
insert into "plan" ("id", "run_id", "version", "digest", "engine_name", "engine_version", "has_changes", "complete",
    "additions", "changes", "destructions", "replacements", "imports", "moves", "forgets", "state_serial", "targets",
    "replace", "output_changes", "output_values", "action_invocations", "action_invocation_count",
    "failed_check_count", "text_zstd", "instances_zstd", "archive_blob_id", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23,
      $24, $25, $26, $27)
  returning "id", "run_id", "version", "digest", "engine_name", "engine_version", "has_changes", "complete",
      "additions", "changes", "destructions", "replacements", "imports", "moves", "forgets", "state_serial",
      "targets", "replace", "output_changes", "action_invocations", "action_invocation_count", "failed_check_count",
      "archive_expired_at", "created_at";
insert into "resource_change" ("plan_id", "position", "address", "type", "name", "module", "action",
    "create_before_destroy", "previous_address", "imported", "before", "after", "bytes", "sensitive_paths",
    "unknown_paths", "digest", "replace_paths", "depends_on", "reason", "provider", "index", "deposed", "import_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23);

-- findPlans
select "plan"."id", "plan"."run_id", "plan"."version", "plan"."digest", "plan"."engine_name", "plan"."engine_version",
    "plan"."has_changes", "plan"."complete", "plan"."additions", "plan"."changes", "plan"."destructions",
    "plan"."replacements", "plan"."imports", "plan"."moves", "plan"."forgets", "plan"."state_serial",
    "plan"."targets", "plan"."replace", "plan"."output_changes", "plan"."action_invocations",
    "plan"."action_invocation_count", "plan"."failed_check_count", "plan"."archive_expired_at", "plan"."created_at",
    "run"."organization_id", "run"."project_id", "run"."workspace_id"
  from "plan"
  inner join "run" on "run"."id" = "plan"."run_id"
  where "plan"."id" in ($1)
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null);

-- listPlans
select "id", "run_id", "version", "digest", "engine_name", "engine_version", "has_changes", "complete", "additions",
    "changes", "destructions", "replacements", "imports", "moves", "forgets", "state_serial", "targets", "replace",
    "output_changes", "action_invocations", "action_invocation_count", "failed_check_count", "archive_expired_at",
    "created_at"
  from "plan"
  where "run_id" in ($1, $2)
  order by "version";

-- findNewestPlans
select distinct on ("run_id") "id", "run_id", "version", "digest", "engine_name", "engine_version", "has_changes",
    "complete", "additions", "changes", "destructions", "replacements", "imports", "moves", "forgets", "state_serial",
    "targets", "replace", "output_changes", "action_invocations", "action_invocation_count", "failed_check_count",
    "archive_expired_at", "created_at"
  from "plan"
  where "run_id" = any((select $1::text[])::text[])
  order by "run_id", "version" desc;

-- findNewestPlan
select distinct on ("run_id") "id", "run_id", "version", "digest", "engine_name", "engine_version", "has_changes",
    "complete", "additions", "changes", "destructions", "replacements", "imports", "moves", "forgets", "state_serial",
    "targets", "replace", "output_changes", "action_invocations", "action_invocation_count", "failed_check_count",
    "archive_expired_at", "created_at"
  from "plan"
  where "run_id" = any((select $1::text[])::text[])
  order by "run_id", "version" desc;

-- findOutputValues
select "id", "output_values"
  from "plan"
  where "id" in ($1);

-- findPlanTexts
select "id", "text_zstd"
  from "plan"
  where "id" in ($1);

-- findPlanInstances
select "complete", "instances_zstd"
  from "plan"
  where "run_id" = $1
  and "instances_zstd" is not null;

-- findArchiveBlob
select "archive_blob_id"
  from "plan"
  where "run_id" = $1
  order by "version" desc
  limit $2;
