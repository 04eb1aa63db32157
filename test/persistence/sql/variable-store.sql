-- putVariable
insert into "variable" ("workspace_id", "category", "key", "value_sealed", "sensitive", "hcl")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("workspace_id", "category", "key") do update
  set "value_sealed" = $7, "sensitive" = $8, "hcl" = $9;

-- findVariable
select *
  from "variable"
  where "workspace_id" = $1
  and "category" = $2
  and "key" = $3;

-- listVariables
select *
  from "variable"
  where "workspace_id" = any((select $1::text[])::text[])
  order by "category", "key";

-- listSensitiveNames
select "workspace_id", "category", "key"
  from "variable"
  where "workspace_id" in ($1)
  and "sensitive" = $2;

-- listVariableNames
select "category", "key"
  from "variable"
  where "workspace_id" = $1;

-- countVariables
select count(*) as "count"
  from "variable"
  where "workspace_id" = $1;

-- deleteVariableRow
delete from "variable"
  where "workspace_id" = $1
  and "category" = $2
  and "key" = $3;
