-- findPlanCost
select cost ->> 'monthlyDelta' as "delta"
  from "plan_document"
  where "plan_id" = $1;
