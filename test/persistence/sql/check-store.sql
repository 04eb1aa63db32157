-- insertCheck
insert into "external_check" ("id", "organization_id", "created_by", "created_at", "name", "url", "via_pool_id",
    "stages", "level", "on_error", "estimates_cost", "selector", "progress_seconds", "total_seconds", "enabled",
    "hmac_key_sealed")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- updateCheckRow
update "external_check"
  set "name" = $1, "url" = $2, "via_pool_id" = $3, "stages" = $4, "level" = $5, "on_error" = $6, "estimates_cost" =
      $7, "selector" = $8, "progress_seconds" = $9, "total_seconds" = $10, "enabled" = $11
  where "id" = $12;

-- updateCheckRow: with a key
update "external_check"
  set "name" = $1, "url" = $2, "via_pool_id" = $3, "stages" = $4, "level" = $5, "on_error" = $6, "estimates_cost" =
      $7, "selector" = $8, "progress_seconds" = $9, "total_seconds" = $10, "enabled" = $11, "hmac_key_sealed" = $12
  where "id" = $13;

-- lockCheck
select *
  from "external_check"
  where "deleted_at" is null
  and "id" = $1
  for no key update;

-- findHmacKey
select "hmac_key_sealed"
  from "external_check"
  where "id" = $1;

-- findChecks
select *
  from "external_check"
  where "deleted_at" is null
  and "id" in ($1);

-- findChecksEver
select *
  from "external_check"
  where "id" in ($1);

-- listChecks
select *
  from "external_check"
  where "deleted_at" is null
  and "organization_id" in ($1)
  order by "id";

-- listChecksOfWorkspaces
select "external_check".*, "workspace"."id" as "selected_id"
  from "external_check"
  inner join "workspace" on "workspace"."organization_id" = "external_check"."organization_id"
  where "workspace"."id" in ($1)
  and "external_check"."enabled" = $2
  and "external_check"."deleted_at" is null
  and policy_selects("external_check"."selector", "workspace"."id", "workspace"."name", "workspace"."labels",
      null::text)
  order by "external_check"."id";

-- listChecksOfPool
select "name"
  from "external_check"
  where "via_pool_id" = $1
  and "deleted_at" is null
  order by "name";

-- markCheckDeleted
update "external_check"
  set "deleted_at" = $1
  where "id" = $2;
