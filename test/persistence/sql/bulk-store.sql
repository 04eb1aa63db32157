-- insertBulkOperation
insert into "bulk_operation" ("id", "action", "gate", "comment", "state", "total_count", "created_by",
    "credential_id", "idempotency_key", "request_digest", "created_at", "finished_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);
insert into bulk_item (operation_id, position, run_id, plan_version)
  select $1, position, run_id, plan_version
  from unnest($2::text[], $3::integer[]) with ordinality as run (run_id, plan_version, position);

-- findBulkByKey
update "bulk_operation"
  set "idempotency_key" = $1
  where "created_by" = $2
  and "idempotency_key" = $3
  and "created_at" < $4;
select *
  from "bulk_operation"
  where "created_by" = $1
  and "idempotency_key" = $2;

-- findBulkOperations
select *
  from "bulk_operation"
  where "id" in ($1);

-- listBulkOperations
select *
  from "bulk_operation"
  where "created_by" = $1
  order by "id" desc
  limit $2;

-- listBulkOperations: backward
select *
  from "bulk_operation"
  where "created_by" = $1
  and "id" < $2
  and "id" > $3
  order by "id" asc
  limit $4;

-- removeEndedBulkOperation
with due as ( select id from bulk_operation where id < $1 and finished_at < $2 order by id limit 1 for update skip
    locked ), items as ( delete from bulk_item using due where operation_id = due.id ) delete from bulk_operation
  using due
  where bulk_operation.id = due.id;

-- listBulkResults
select *
  from "bulk_item"
  where "operation_id" = $1
  order by "position" asc
  limit $2;

-- listBulkResults: backward
select *
  from "bulk_item"
  where "operation_id" = $1
  and "position" > $2
  and "position" < $3
  order by "position" desc
  limit $4;

-- listBulkResults: of an organization
select *
  from "bulk_item"
  where "operation_id" = $1
  and exists (select from run where run.id = bulk_item.run_id and (("run"."organization_id" = any($2::text[]) and
      "run"."project_id" <> all($3::text[])) or "run"."project_id" = any($4::text[]) or "run"."workspace_id" =
      any($5::text[])))
  order by "position" asc
  limit $6;

-- countBulkItems
select operation_id as id, count(*)::int as "totalCount", count(done_at)::int as "doneCount", (count(*) filter (where
    ok))::int as "succeededCount"
  from bulk_item
  join run on run.id = bulk_item.run_id
  where operation_id = any($1::text[])
  and (("run"."organization_id" = any($2::text[]) and "run"."project_id" <> all($3::text[])) or "run"."project_id" =
      any($4::text[]) or "run"."workspace_id" = any($5::text[]))
  group by operation_id;

-- listRunningBulk
select *
  from "bulk_operation"
  where "state" = $1
  order by "id"
  limit $2;

-- findNextBulkItem
select *
  from "bulk_item"
  where "operation_id" = $1
  and "done_at" is null
  order by "position"
  limit $2;

-- takeBulkItem
select "id"
  from "bulk_operation"
  where "id" = $1
  and "state" = $2
  for no key update skip locked;
select "position"
  from "bulk_item"
  where "operation_id" = $1
  and "position" = $2
  and "done_at" is null;

-- takeBulkItem: of nothing
select "id"
  from "bulk_operation"
  where "id" = $1
  and "state" = $2
  for no key update skip locked;

-- lockBulkOperation
select *
  from "bulk_operation"
  where "id" = $1
  for no key update;

-- markBulkItem
update "bulk_item"
  set "ok" = $1, "code" = $2, "message" = $3, "new_run_id" = $4, "done_at" = $5
  where "operation_id" = $6
  and "position" = $7;
update "bulk_operation"
  set "done_count" = done_count + 1, "succeeded_count" = succeeded_count + $1, "state" = case when done_count + 1 =
      total_count then 'FINISHED' else state end, "finished_at" = case when done_count + 1 = total_count then
      $2::timestamptz end
  where "id" = $3;

-- setBulkStopped
update "bulk_operation"
  set "state" = $1, "finished_at" = $2
  where "id" = $3
  returning *;
