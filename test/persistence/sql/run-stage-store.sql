-- insertRunStages
insert into "run_stage" ("run_id", "plan_version", "position", "gate", "source", "reason", "owner_id", "name",
    "minimum", "approver_ids", "team_ids", "exclude_requester", "distinct_from_plan_approver", "comment_required",
    "machines_count", "require_presence")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- listRunStages
select "run_stage".*
  from "run_stage"
  inner join "run" on "run"."id" = "run_stage"."run_id"
  and "run"."plan_version" = "run_stage"."plan_version"
  where "run_stage"."run_id" = any((select $1::text[])::text[])
  order by "run_stage"."run_id", "run_stage"."position";
