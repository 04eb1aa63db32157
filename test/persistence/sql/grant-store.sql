-- insertGrant
insert into "access_grant" ("id", "principal_id", "role_id", "organization_id", "scope_id", "reason", "granted_by",
    "created_at", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- onInstallation
-- sends nothing

-- lockGrant
select "access_grant".*, (select project_id from workspace where workspace.id = access_grant.scope_id) as "project_id"
  from "access_grant"
  where "revoked_at" is null
  and "id" = $1
  for no key update;

-- findGrants
select "access_grant".*, (select project_id from workspace where workspace.id = access_grant.scope_id) as "project_id"
  from "access_grant"
  where "revoked_at" is null
  and "id" in ($1);

-- listGrantsOfScopes
select "access_grant".*, (select project_id from workspace where workspace.id = access_grant.scope_id) as "project_id"
  from "access_grant"
  where "revoked_at" is null
  and "scope_id" in ($1, $2)
  and (expires_at is null or expires_at > $3)
  order by "id";

-- listGrantsOfPrincipals
select "access_grant".*, (select project_id from workspace where workspace.id = access_grant.scope_id) as "project_id"
  from "access_grant"
  where "revoked_at" is null
  and "principal_id" = any($1::text[])
  and (expires_at is null or expires_at > $2)
  order by "id";

-- listGrants
select "access_grant".*, (select project_id from workspace where workspace.id = access_grant.scope_id) as "project_id"
  from "access_grant"
  where "revoked_at" is null
  and (expires_at is null or expires_at > $1)
  and true
  order by "id" desc
  limit $2;

-- listGrants: of some places, backward
select "access_grant".*, (select project_id from workspace where workspace.id = access_grant.scope_id) as "project_id"
  from "access_grant"
  where "revoked_at" is null
  and (expires_at is null or expires_at > $1)
  and (organization_id = any($2::text[]) and coalesce( (select project_id from workspace where workspace.id =
      access_grant.scope_id), access_grant.scope_id, '') <> all($3::text[]) or coalesce( (select project_id from
      workspace where workspace.id = access_grant.scope_id), access_grant.scope_id, '') = any($4::text[]) or scope_id
      = any($5::text[]))
  and "organization_id" = $6
  and "id" < $7
  and "id" > $8
  order by "id" asc
  limit $9;

-- listGrantsOfRunsIn
select "access_grant".*, (select project_id from workspace where workspace.id = access_grant.scope_id) as "project_id"
  from "access_grant"
  where "revoked_at" is null
  and "principal_id" in (select "workspace"."id" from "workspace" inner join "project" on "project"."id" =
      "workspace"."project_id" where "project"."path" @> array[$1]::text[])
  and (expires_at is null or expires_at > $2)
  order by "id";

-- listGrantsOfRole
select "access_grant".*, (select project_id from workspace where workspace.id = access_grant.scope_id) as "project_id"
  from "access_grant"
  where "revoked_at" is null
  and "role_id" = $1
  and (expires_at is null or expires_at > $2)
  order by "id";

-- endExpiredGrants
update "access_grant"
  set "revoked_at" = $1, "revoked_by" = $2
  where "principal_id" = $3
  and "role_id" = $4
  and scope_id is not distinct
  from $5
  and "revoked_at" is null
  and "expires_at" <= $6;

-- markGrantRevoked
update "access_grant"
  set "revoked_at" = $1, "revoked_by" = $2
  where "id" = $3;

-- revokeGrantsOfScope
update "access_grant"
  set "revoked_at" = $1, "revoked_by" = $2
  where ("scope_id" = $3 or "principal_id" = $4)
  and "revoked_at" is null;

-- countAdministrators
select count(distinct actor.id) as count
  from access_grant g
  join actor on actor.disabled_at is null
  and (actor.id = g.principal_id or exists ( select from team_member m join team on team.id = m.team_id where
      m.team_id = g.principal_id and m.actor_id = actor.id and m.lapses_at is null and team.deleted_at is null))
  where g.role_id = $1
  and g.scope_id is not distinct
  from $2
  and g.revoked_at is null
  and g.expires_at is null;
