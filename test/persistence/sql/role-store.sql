-- insertRole
insert into "role" ("id", "organization_id", "name", "description", "permissions", "created_at")
  values ($1, $2, $3, $4, $5, $6);

-- lockRole
select *
  from "role"
  where "id" = $1
  and "deleted_at" is null
  for no key update;

-- updateRoleRow
update "role"
  set "name" = $1, "description" = $2, "permissions" = $3
  where "id" = $4;

-- findRoles
select *
  from "role"
  where "id" in ($1);

-- listRoles
select *
  from "role"
  where "organization_id" in ($1)
  and "deleted_at" is null
  order by "name";

-- markRoleDeleted
update "role"
  set "deleted_at" = $1
  where "id" = $2;
