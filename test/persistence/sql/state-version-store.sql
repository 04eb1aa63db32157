-- listStateVersions
select "sv"."id", "sv"."workspace_id", "workspace"."organization_id", "workspace"."project_id", "sv"."serial",
    "sv"."lineage", "sv"."run_id", "sv"."resource_count", "sv"."created_at", "blob"."size", "blob"."digest",
    coalesce(sv.imported_by, run.created_by) as "actor_id", sv.serial = workspace.state_serial as "is_current"
  from "state_version" as "sv"
  inner join "blob" on "blob"."id" = "sv"."blob_id"
  inner join "workspace" on "workspace"."id" = "sv"."workspace_id"
  left join "run" on "run"."id" = "sv"."run_id"
  where "workspace"."deleted_at" is null
  and "sv"."workspace_id" = $1
  order by "sv"."serial" desc
  limit $2;

-- listStateVersions: backward
select "sv"."id", "sv"."workspace_id", "workspace"."organization_id", "workspace"."project_id", "sv"."serial",
    "sv"."lineage", "sv"."run_id", "sv"."resource_count", "sv"."created_at", "blob"."size", "blob"."digest",
    coalesce(sv.imported_by, run.created_by) as "actor_id", sv.serial = workspace.state_serial as "is_current"
  from "state_version" as "sv"
  inner join "blob" on "blob"."id" = "sv"."blob_id"
  inner join "workspace" on "workspace"."id" = "sv"."workspace_id"
  left join "run" on "run"."id" = "sv"."run_id"
  where "workspace"."deleted_at" is null
  and "sv"."workspace_id" = $1
  and "sv"."serial" < $2
  and "sv"."serial" > $3
  order by "sv"."serial" asc
  limit $4;

-- findStateVersions
select "sv"."id", "sv"."workspace_id", "workspace"."organization_id", "workspace"."project_id", "sv"."serial",
    "sv"."lineage", "sv"."run_id", "sv"."resource_count", "sv"."created_at", "blob"."size", "blob"."digest",
    coalesce(sv.imported_by, run.created_by) as "actor_id", sv.serial = workspace.state_serial as "is_current"
  from "state_version" as "sv"
  inner join "blob" on "blob"."id" = "sv"."blob_id"
  inner join "workspace" on "workspace"."id" = "sv"."workspace_id"
  left join "run" on "run"."id" = "sv"."run_id"
  where "workspace"."deleted_at" is null
  and "sv"."id" in ($1);

-- findCurrentStates
select "sv"."id", "sv"."workspace_id", "workspace"."organization_id", "workspace"."project_id", "sv"."serial",
    "sv"."lineage", "sv"."run_id", "sv"."resource_count", "sv"."created_at", "blob"."size", "blob"."digest",
    coalesce(sv.imported_by, run.created_by) as "actor_id", sv.serial = workspace.state_serial as "is_current"
  from "state_version" as "sv"
  inner join "blob" on "blob"."id" = "sv"."blob_id"
  inner join "workspace" on "workspace"."id" = "sv"."workspace_id"
  left join "run" on "run"."id" = "sv"."run_id"
  where "workspace"."deleted_at" is null
  and "sv"."workspace_id" in ($1)
  and "sv"."serial" = "workspace"."state_serial";

-- listStateOutputs
select "id", "outputs"
  from "state_version"
  where "id" in ($1);

-- findStateBlob
select "blob_id"
  from "state_version"
  where "id" = $1;

-- insertStateRollback
insert into "state_rollback" ("run_id", "state_version_id", "state_serial")
  values ($1, $2, $3);

-- findStateRollbacks
select *
  from "state_rollback"
  where "run_id" in ($1);
