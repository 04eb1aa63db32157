-- setExpiry
update "workspace"
  set "expires_at" = $1, "expiry" = $2, "expiry_due_at" = $3, "expiry_problem" = $4
  where "id" = $5;

-- listDueExpiries
select "id"
  from "workspace"
  where "expiry_due_at" <= $1
  order by "expiry_due_at"
  limit $2;

-- findDueExpiry
select "expiry"
  from "workspace"
  where "id" = $1
  and "expiry_due_at" <= $2;
