-- insertResourceDrift
insert into "resource_drift" ("plan_id", "position", "address", "type", "action", "paths", "relevant", "before",
    "after", "sensitive_paths", "bytes")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- listResourceDrift
select "position", "bytes"
  from "resource_drift"
  where "plan_id" = $1
  order by "position" asc
  limit $2;
select *
  from "resource_drift"
  where "plan_id" = $1
  and "position" in ($2)
  order by "position";

-- listResourceDrift: backward
select "position", "bytes"
  from "resource_drift"
  where "plan_id" = $1
  and "position" > $2
  and "position" < $3
  order by "position" desc
  limit $4;
select *
  from "resource_drift"
  where "plan_id" = $1
  and "position" in ($2)
  order by "position";
