-- insertResourceChanges
insert into "resource_change" ("plan_id", "position", "address", "type", "name", "module", "action",
    "create_before_destroy", "previous_address", "imported", "before", "after", "bytes", "sensitive_paths",
    "unknown_paths", "digest", "replace_paths", "depends_on", "reason", "provider", "index", "deposed", "import_id")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23);

-- listResourceChanges
select "position", "bytes"
  from "resource_change"
  where "plan_id" = $1
  order by "position" asc
  limit $2;
select *
  from "resource_change"
  where "plan_id" = $1
  and "position" in ($2)
  order by "position";

-- listResourceChanges: backward, of some actions
select "position", "bytes"
  from "resource_change"
  where ("plan_id" = $1 and "action" in ($2, $3))
  and "position" > $4
  and "position" < $5
  order by "position" desc
  limit $6;
select *
  from "resource_change"
  where "plan_id" = $1
  and "position" in ($2)
  order by "position";

-- listResourceChanges: by all parts
select "position", "bytes"
  from "resource_change"
  where ("plan_id" = $1 and "action" in ($2) and "address" = any($3) and ("module" = $4 or starts_with(module, $5) or
      starts_with(module, $6)) and "type" = $7 and strpos(lower(address), lower($8)) > 0)
  order by "position" asc
  limit $9;

-- countResourceChanges
select count(*) as "count"
  from "resource_change"
  where "plan_id" = $1;

-- countResourceChanges: of the root module
select count(*) as "count"
  from "resource_change"
  where ("plan_id" = $1 and "module" is null);

-- readChanges
select "position", "bytes"
  from "resource_change"
  where "plan_id" = $1
  order by "position" asc
  limit $2;
select *
  from "resource_change"
  where "plan_id" = $1
  and "position" in ($2)
  order by "position";

-- listDestroyed
select "plan"."id", "gone"."address"
  from "plan"
  inner join lateral (select "resource_change"."address", "resource_change"."position" from "resource_change" where
      "resource_change"."plan_id" = "plan"."id" and "resource_change"."action" = $1 order by
      "resource_change"."position" limit $2) as "gone" on true
  where "plan"."id" in ($3)
  order by "plan"."id", "gone"."position";

-- listChangedTypes
select distinct "type"
  from "resource_change"
  where "plan_id" = $1
  and ("action" not in ($2, $3) or "imported" = true)
  order by "type";
