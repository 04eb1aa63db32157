-- listExpiredLocks
select "id"
  from "workspace"
  where "lock_expires_at" <= $1
  order by "lock_expires_at"
  limit $2;

-- setWorkspaceLock
update "workspace"
  set "lock_reason" = $1, "lock_run_id" = $2, "lock_actor_id" = $3, "lock_note" = $4, "locked_at" = $5,
      "lock_expires_at" = $6
  where "id" = $7;
