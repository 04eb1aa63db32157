-- findPlanCost
select coalesce(check_cost, cost) ->> 'monthlyDelta' as "delta"
  from "plan_document"
  where "plan_id" = $1;

-- writeCheckCost
update "external_check_result"
  set "cost" = $1
  where "id" = $2;
update plan_document
  set check_cost = ( select cost from external_check_result where run_id = $1 and plan_version = $2 and cost is not
      null order by (cost ->> 'monthlyDelta')::numeric desc, id limit 1 )
  where plan_id = $3
  and exists (select from plan where id = $4 and targets = '{}');

-- isCostAsked
select "id"
  from "external_check_result"
  where "run_id" = $1
  and "plan_version" = $2
  and "estimates_cost" = $3
  limit $4;

-- findCostEnd
select max("finished_at") as "at"
  from "external_check_result"
  where "run_id" = $1
  and "plan_version" = $2
  and "estimates_cost" = $3;
