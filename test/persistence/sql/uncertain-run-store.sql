-- findUncertainSince
select "number"
  from "run"
  where "workspace_id" = $1
  and "finished_at" > $2
  and (failure ->> 'stateUncertain')::boolean
  limit $3;
