-- toActor
-- sends nothing

-- insertActor
insert into "actor" ("id", "kind", "name", "created_at")
  values ($1, $2, $3, $4);

-- findActors
select "id", "kind", "name"
  from "actor"
  where "id" = any((select $1::text[])::text[]);

-- insertServiceAccount
insert into "actor" ("id", "kind", "name", "organization_id", "created_at")
  values ($1, $2, $3, $4, $5);

-- listServiceAccounts
select "id", "kind", "name", "organization_id"
  from "actor"
  where "organization_id" in ($1)
  order by "name", "id";

-- findGrantee
select "id", "kind", "name", "organization_id"
  from "actor"
  where "id" = $1
  and "disabled_at" is null;

-- setActorDisabled
update "actor"
  set "disabled_at" = $1
  where "id" = $2
  and "disabled_at" is null;

-- setActorDisabled: enabled again
update "actor"
  set "disabled_at" = $1
  where "id" = $2
  and "disabled_at" is not null;
