-- insertRecoveredState
insert into "recovered_state" ("id", "workspace_id", "run_id", "job_id", "runner_id", "blob_id", "digest", "size",
    "serial", "lineage", "outputs", "resource_count", "received_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- recoveredDigests
select "digest"
  from "recovered_state"
  where "job_id" = $1;

-- isVersionOfJob
select "state_version"."id"
  from "state_version"
  inner join "blob" on "blob"."id" = "state_version"."blob_id"
  where "state_version"."workspace_id" = $1
  and "state_version"."job_id" = $2
  and "blob"."digest" = $3;

-- findRecoveredStates
select "recovered_state".*, "workspace"."organization_id", "workspace"."project_id"
  from "recovered_state"
  inner join "workspace" on "workspace"."id" = "recovered_state"."workspace_id"
  where "recovered_state"."id" in ($1)
  and "workspace"."deleted_at" is null;

-- listUndecidedStates
select *
  from "recovered_state"
  where "workspace_id" in ($1)
  and "decision" is null
  order by "id" desc
  limit $2;

-- listRecoveredStates
select *
  from "recovered_state"
  where "run_id" in ($1)
  order by "id";

-- countUndecidedStates
select count(*) as "count"
  from "recovered_state"
  where "workspace_id" = $1
  and "decision" is null;

-- decideRecoveredState
update "recovered_state"
  set "decision" = $1, "decided_by" = $2, "decided_at" = $3, "note" = $4
  where "id" = $5;
