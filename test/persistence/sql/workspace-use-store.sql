-- findWorkspaceUses
select "workspace"."id", "locker"."name" as "locker_name", "interrupted"."number" as "interrupted_number", "live"."id"
    as "live_id", "live"."number" as "live_number", "live"."status" as "live_status", "lock"."lock_id", "lock"."info"
    as "lock_info", "lock"."run_id" as "lock_run_id", "locking"."number" as "lock_run_number", "lock"."actor_id" as
    "lock_actor_id", "job"."id" as "job_id", "job"."ended_at" as "job_ended_at", "state"."id" as "state_id",
    "state"."resource_count", "state"."has_older"
  from "workspace"
  left join lateral (select "run"."id", "run"."number", "run"."status" from "run" where "run"."workspace_id" =
      "workspace"."id" and "run"."finished_at" is null order by "run"."id" desc limit $1) as "live" on true
  left join "state_lock" as "lock" on "lock"."workspace_id" = "workspace"."id"
  left join "job" on "job"."id" = "lock"."job_id"
  left join "run" as "locking" on "locking"."id" = "lock"."run_id"
  left join "actor" as "locker" on "locker"."id" = "workspace"."lock_actor_id"
  left join "run" as "interrupted" on "interrupted"."id" = "workspace"."lock_run_id"
  left join lateral (select "newest"."id", "newest"."resource_count", exists (select "older"."id" from "state_version"
      as "older" where "older"."workspace_id" = "newest"."workspace_id" and "older"."serial" < "newest"."serial") as
      "has_older" from "state_version" as "newest" where "newest"."workspace_id" = "workspace"."id" order by
      "newest"."serial" desc limit $2) as "state" on true
  where "workspace"."id" in ($3)
  and "workspace"."deleted_at" is null;

-- getWorkspaceUse
select "workspace"."id", "locker"."name" as "locker_name", "interrupted"."number" as "interrupted_number", "live"."id"
    as "live_id", "live"."number" as "live_number", "live"."status" as "live_status", "lock"."lock_id", "lock"."info"
    as "lock_info", "lock"."run_id" as "lock_run_id", "locking"."number" as "lock_run_number", "lock"."actor_id" as
    "lock_actor_id", "job"."id" as "job_id", "job"."ended_at" as "job_ended_at", "state"."id" as "state_id",
    "state"."resource_count", "state"."has_older"
  from "workspace"
  left join lateral (select "run"."id", "run"."number", "run"."status" from "run" where "run"."workspace_id" =
      "workspace"."id" and "run"."finished_at" is null order by "run"."id" desc limit $1) as "live" on true
  left join "state_lock" as "lock" on "lock"."workspace_id" = "workspace"."id"
  left join "job" on "job"."id" = "lock"."job_id"
  left join "run" as "locking" on "locking"."id" = "lock"."run_id"
  left join "actor" as "locker" on "locker"."id" = "workspace"."lock_actor_id"
  left join "run" as "interrupted" on "interrupted"."id" = "workspace"."lock_run_id"
  left join lateral (select "newest"."id", "newest"."resource_count", exists (select "older"."id" from "state_version"
      as "older" where "older"."workspace_id" = "newest"."workspace_id" and "older"."serial" < "newest"."serial") as
      "has_older" from "state_version" as "newest" where "newest"."workspace_id" = "workspace"."id" order by
      "newest"."serial" desc limit $2) as "state" on true
  where "workspace"."id" in ($3)
  and "workspace"."deleted_at" is null;
