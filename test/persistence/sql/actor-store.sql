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

-- listOrganizationsOfActors
select id as actor_id, organization_id
  from actor
  where id = any($1::text[])
  and organization_id is not null
  union
  select principal_id, organization_id
  from access_grant
  where principal_id = any($2::text[])
  and revoked_at is null
  union
  select m.actor_id, team.organization_id
  from team_member m
  join team on team.id = m.team_id
  where m.actor_id = any($3::text[])
  and team.deleted_at is null;

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
