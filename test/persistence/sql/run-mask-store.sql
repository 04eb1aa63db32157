-- listRunMasks
select "run_mask"."run_id", "value_sealed"
  from "run_mask"
  inner join "run" on ("run"."id" = "run_mask"."run_id" or "plan_run_id" = "run_mask"."run_id")
  where "run"."id" = $1;

-- countRunMasks
select count(*) as "count"
  from "run_mask"
  where "run_id" = $1;

-- lockRunMasks
select "run_id"
  from "log_head"
  where "run_id" = $1
  for update;

-- insertRunMasks
insert into "run_mask" ("run_id", "position", "value_sealed", "created_at")
  values ($1, $2, $3, $4), ($5, $6, $7, $8);

-- insertRunMasks: none
-- sends nothing
