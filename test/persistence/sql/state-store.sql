-- insertStateVersion
insert into "state_version" ("id", "workspace_id", "serial", "lineage", "run_id", "job_id", "imported_by", "blob_id",
    "outputs", "resource_count", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- findNewestStates
select distinct on ("workspace_id") *
  from "state_version"
  where "workspace_id" in ($1)
  order by "workspace_id", "serial" desc;

-- findNewestState
select distinct on ("workspace_id") *
  from "state_version"
  where "workspace_id" in ($1)
  order by "workspace_id", "serial" desc;

-- takeStateLock
insert into "state_lock" ("workspace_id", "lock_id", "info", "run_id", "job_id", "actor_id", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("workspace_id") do update
  set "workspace_id" = "state_lock"."workspace_id"
  returning *;

-- findStateLocks
select *
  from "state_lock"
  where "workspace_id" in ($1);

-- releaseStateLock
delete from "state_lock"
  where "workspace_id" = $1;

-- releaseStateLock: of a job
delete from "state_lock"
  where "workspace_id" = $1
  and "job_id" = $2;
