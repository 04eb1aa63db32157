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
  and "workspace_id" is null
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

-- listOrganizationMembers
select held.organization_id, actor.id, actor.kind, actor.name, actor.email, actor.disabled_at, actor.invited_by,
    actor.sponsored_until, (select max(last_used_at) from token where token.actor_id = actor.id) as last_seen_at
  from ( select organization_id, id as actor_id from actor where organization_id = any($1::text[]) and workspace_id is
      null union select organization_id, principal_id from access_grant where organization_id = any($2::text[]) and
      revoked_at is null union select team.organization_id, m.actor_id from team join team_member m on m.team_id =
      team.id where team.organization_id = any($3::text[]) and team.deleted_at is null ) held
  join actor on actor.id = held.actor_id
  order by actor.name, actor.id;

-- listMembers
select "id", "kind", "name", "email", "disabled_at", "invited_by", "sponsored_until", (select max(last_used_at) from
    token where token.actor_id = actor.id) as "last_seen_at"
  from "actor"
  where "kind" != $1
  and "workspace_id" is null
  order by "id" desc
  limit $2;

-- listMembers: with a text in their name
select "id", "kind", "name", "email", "disabled_at", "invited_by", "sponsored_until", (select max(last_used_at) from
    token where token.actor_id = actor.id) as "last_seen_at"
  from "actor"
  where "kind" != $1
  and "workspace_id" is null
  and strpos(lower(name), lower($2)) > 0
  order by "id" desc
  limit $3;

-- listMembers: backward
select "id", "kind", "name", "email", "disabled_at", "invited_by", "sponsored_until", (select max(last_used_at) from
    token where token.actor_id = actor.id) as "last_seen_at"
  from "actor"
  where "kind" != $1
  and "workspace_id" is null
  and "id" < $2
  and "id" > $3
  order by "id" asc
  limit $4;

-- findEnabledActor
select "id", "kind", "name", "organization_id", "workspace_id"
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
