-- insertResults
insert into "external_check_result" ("id", "check_id", "run_id", "stage", "plan_version", "level", "on_error",
    "estimates_cost", "progress_seconds", "total_seconds", "status", "created_at", "began_at", "due_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
  on conflict ("run_id", "stage", "plan_version", "check_id") do nothing;

-- findRunOfResult
select "run_id"
  from "external_check_result"
  where "id" = $1;

-- lockResult
select "id", "check_id", "run_id", "stage", "plan_version", "level", "on_error", "estimates_cost", "progress_seconds",
    "total_seconds", "status", "message", "url", "round", "attempts", "attempt_error", "created_at", "began_at",
    "accepted_at", "progressed_at", "finished_at", "due_at"
  from "external_check_result"
  where "id" = $1
  for update;

-- updateResult
update "external_check_result"
  set "status" = $1, "message" = $2, "url" = $3, "round" = $4, "attempts" = $5, "attempt_error" = $6, "began_at" = $7,
      "accepted_at" = $8, "progressed_at" = $9, "finished_at" = $10, "due_at" = $11, "lease_id" = $12, "lease_until" =
      $13
  where "id" = $14;

-- updateResult: with outcomes
update "external_check_result"
  set "status" = $1, "message" = $2, "url" = $3, "round" = $4, "attempts" = $5, "attempt_error" = $6, "began_at" = $7,
      "accepted_at" = $8, "progressed_at" = $9, "finished_at" = $10, "due_at" = $11, "lease_id" = $12, "lease_until" =
      $13, "outcomes" = $14
  where "id" = $15;

-- findResults
select "external_check_result"."id", "external_check_result"."check_id", "external_check_result"."run_id",
    "external_check_result"."stage", "external_check_result"."plan_version", "external_check_result"."level",
    "external_check_result"."on_error", "external_check_result"."estimates_cost",
    "external_check_result"."progress_seconds", "external_check_result"."total_seconds",
    "external_check_result"."status", "external_check_result"."message", "external_check_result"."url",
    "external_check_result"."round", "external_check_result"."attempts", "external_check_result"."attempt_error",
    "external_check_result"."created_at", "external_check_result"."began_at", "external_check_result"."accepted_at",
    "external_check_result"."progressed_at", "external_check_result"."finished_at", "external_check_result"."due_at",
    "run"."organization_id", "run"."project_id", "run"."workspace_id"
  from "external_check_result"
  inner join "run" on "run"."id" = "external_check_result"."run_id"
  inner join "workspace" on "workspace"."id" = "run"."workspace_id"
  where "external_check_result"."id" in ($1)
  and "workspace"."deleted_at" is null;

-- listResultsOfRuns
select "id", "check_id", "run_id", "stage", "plan_version", "level", "on_error", "estimates_cost", "progress_seconds",
    "total_seconds", "status", "message", "url", "round", "attempts", "attempt_error", "created_at", "began_at",
    "accepted_at", "progressed_at", "finished_at", "due_at"
  from "external_check_result"
  where "run_id" in ($1)
  order by "id";

-- listDecidingResults
select "external_check_result"."id", "external_check_result"."check_id", "external_check_result"."run_id",
    "external_check_result"."stage", "external_check_result"."plan_version", "external_check_result"."level",
    "external_check_result"."on_error", "external_check_result"."estimates_cost",
    "external_check_result"."progress_seconds", "external_check_result"."total_seconds",
    "external_check_result"."status", "external_check_result"."message", "external_check_result"."url",
    "external_check_result"."round", "external_check_result"."attempts", "external_check_result"."attempt_error",
    "external_check_result"."created_at", "external_check_result"."began_at", "external_check_result"."accepted_at",
    "external_check_result"."progressed_at", "external_check_result"."finished_at", "external_check_result"."due_at",
    "external_check"."name" as "check_name", "run"."kind" as "run_kind"
  from "external_check_result"
  inner join "external_check" on "external_check"."id" = "external_check_result"."check_id"
  inner join "run" on "run"."id" = "external_check_result"."run_id"
  where "run_id" = $1
  and "stage" in ($2, $3)
  and "external_check_result"."status" <> $4
  and ("stage" = $5 or "external_check_result"."plan_version" = $6)
  order by "external_check_result"."id";

-- findLastLimit
select max(coalesce(finished_at, began_at + total_seconds * interval '1 second')) as last_limit
  from external_check_result
  where run_id = $1
  and plan_version = $2
  and stage <> 'POST_APPLY'
  and status <> 'CANCELED';

-- findOutcomes
select "id", "outcomes"
  from "external_check_result"
  where "id" in ($1);

-- leaseResults
update external_check_result
  set lease_id = $1, lease_until = $2
  where id in ( select id from external_check_result where due_at <= $3 and (lease_until is null or lease_until <= $4)
      order by due_at limit $5 for update skip locked )
  returning id;

-- releaseResults
update "external_check_result"
  set "lease_id" = $1, "lease_until" = $2
  where "lease_id" = $3;

-- findNextDue
select "due_at"
  from "external_check_result"
  where "due_at" is not null
  and ("lease_until" is null or "lease_until" <= $1)
  order by "due_at"
  limit $2;

-- cancelOpenResults
update "external_check_result"
  set "status" = $1, "finished_at" = $2, "due_at" = $3, "lease_id" = $4, "lease_until" = $5
  where "run_id" = $6
  and "stage" <> $7
  and "finished_at" is null;

-- clearOutcomes
update "external_check_result"
  set "outcomes" = $1
  where "run_id" in ($2)
  and "finished_at" < $3
  and outcomes <> '[]';

-- hastenRequests
update "external_check_result"
  set "due_at" = $1
  where "check_id" = $2
  and "status" = $3;

-- hastenResults
update "external_check_result"
  set "due_at" = $1
  where "check_id" = $2
  and "finished_at" is null;
