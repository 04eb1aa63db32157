-- insertFormerSecret
insert into "former_secret" ("workspace_id", "value_sealed", "hcl")
  values ($1, $2, $3);
delete from "former_secret"
  where "workspace_id" = $1
  and "id" <= (select "id" from "former_secret" where "workspace_id" = $2 order by "id" desc limit $3 offset $4);

-- listFormerSecrets
select "value_sealed", "hcl"
  from "former_secret"
  where "workspace_id" = $1
  order by "id" desc;
