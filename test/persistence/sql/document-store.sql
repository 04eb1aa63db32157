-- putJobDocument
delete from "job_document"
  where "job_id" = $1
  returning "blob_id";
insert into "job_document" ("job_id", "run_id", "blob_id", "raw_bytes", "truncated", "action_invocations", "cost")
  values ($1, $2, $3, $4, $5, $6, $7);

-- takeJobDocument
with "taken" as (delete from "job_document" where "job_id" = $1 returning *), "stored" as (insert into "plan_document"
    ("plan_id", "blob_id", "raw_bytes", "truncated", "cost", "created_at") select $2::text as "plan_id", "blob_id",
    "raw_bytes", "truncated", case when $3::boolean then cost end as "cost", $4::timestamptz as "created_at" from
    "taken")
  select "action_invocations"
  from "taken";

-- findPlanDocument
select *
  from "plan_document"
  where "plan_id" = $1;

-- findPlanCosts
select "plan_id", coalesce("check_cost", "cost") as "cost"
  from "plan_document"
  where "plan_id" in ($1);

-- removeDocuments
update "plan_document"
  set "blob_id" = $1
  where "plan_id" in (select "id" from "plan" where "run_id" in ($2))
  and "blob_id" is not null;
delete from "job_document"
  where "run_id" in ($1);
