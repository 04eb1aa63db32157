-- listPlanIndexes
select "plan_id", "position", "address", "action", "module", "type", "imported", "previous_address", "digest"
  from "resource_change"
  where "plan_id" in ($1)
  and "position" <= $2
  order by "plan_id", "position";
