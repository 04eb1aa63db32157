-- insertInboundHook
insert into "inbound_hook" ("id", "organization_id", "name", "workspace_ids", "kind", "mapping", "secret_sealed",
    "owner_id", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- updateInboundHookRow
update "inbound_hook"
  set "name" = $1, "workspace_ids" = $2, "kind" = $3, "mapping" = $4, "owner_id" = $5
  where "id" = $6;

-- lockInboundHook
select "id", "organization_id", "name", "workspace_ids", "kind", "mapping", "owner_id", "created_at", "last_at",
    "last_problem"
  from "inbound_hook"
  where "id" = $1
  and "deleted_at" is null
  for no key update;

-- findInboundHooks
select "id", "organization_id", "name", "workspace_ids", "kind", "mapping", "owner_id", "created_at", "last_at",
    "last_problem"
  from "inbound_hook"
  where "id" in ($1)
  and "deleted_at" is null;

-- listInboundHooks
select "id", "organization_id", "name", "workspace_ids", "kind", "mapping", "owner_id", "created_at", "last_at",
    "last_problem"
  from "inbound_hook"
  where "organization_id" in ($1)
  and "deleted_at" is null
  order by "id";

-- replaceInboundSecret
update "inbound_hook"
  set "secret_sealed" = $1, "former_secret_sealed" = "secret_sealed", "former_secret_until" = $2
  where "id" = $3;

-- findHookWithSecrets
select "id", "organization_id", "name", "workspace_ids", "kind", "mapping", "owner_id", "created_at", "last_at",
    "last_problem", "secret_sealed", "former_secret_sealed", "former_secret_until"
  from "inbound_hook"
  where "id" = $1
  and "deleted_at" is null;

-- findDelivery
select "changeset_id"
  from "inbound_delivery"
  where "hook_id" = $1
  and "delivery_id" = $2;

-- recordDelivery
insert into "inbound_delivery" ("hook_id", "delivery_id", "at", "changeset_id")
  values ($1, $2, $3, $4);
update "inbound_hook"
  set "last_at" = $1, "last_problem" = $2
  where "id" = $3;
delete from "inbound_delivery"
  where "hook_id" = $1
  and "at" < $2;

-- markInboundHookDeleted
update "inbound_hook"
  set "deleted_at" = $1
  where "id" = $2;
