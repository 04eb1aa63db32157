-- insertRunnerPool
insert into "runner_pool" ("id", "organization_id", "name", "description", "reserved", "drift_check_limit",
    "created_at")
  values ($1, $2, $3, $4, $5, $6, $7);

-- updateRunnerPoolRow
update "runner_pool"
  set "name" = $1, "description" = $2, "reserved" = $3, "drift_check_limit" = $4
  where "id" = $5;

-- lockRunnerPool
select *
  from "runner_pool"
  where "deleted_at" is null
  and "id" = $1
  for no key update;

-- holdRunnerPool
select *
  from "runner_pool"
  where "deleted_at" is null
  and "id" = $1
  for share;

-- findRunnerPools
select *
  from "runner_pool"
  where "deleted_at" is null
  and "id" in ($1);

-- listRunnerPools
select *
  from "runner_pool"
  where "deleted_at" is null
  and "organization_id" in ($1)
  order by "name";

-- countRunnerPools
select count(*) as "count"
  from "runner_pool"
  where "organization_id" = $1
  and "deleted_at" is null;

-- listWorkspacesOfPool
select "id", "organization_id", "project_id", "name"
  from "workspace"
  where "runner_pool_id" = $1
  and "deleted_at" is null
  order by "name"
  limit $2;

-- findRunAtWork
select "run_id"
  from "job"
  inner join "runner" on "runner"."id" = "job"."runner_id"
  where "runner"."pool_id" = $1
  and "job"."ended_at" is null
  order by "job"."id";

-- markRunnerPoolDeleted
update "runner_pool"
  set "deleted_at" = $1
  where "id" = $2;
