-- insertGrant
insert into "access_grant" ("id", "principal_id", "role_id", "organization_id", "scope_id", "reason", "granted_by",
    "created_at", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- onInstallation
-- sends nothing

-- listActorIdsWith
select actor.id
  from actor
  where actor.disabled_at is null
  and exists ( select from token where token.actor_id = actor.id and token.revoked_at is null and (token.expires_at is
      null or token.expires_at > $1) )
  and exists ( select from access_grant g join role on role.id = g.role_id where (role.id = any($2::text[]) or $3 =
      any(role.permissions)) and g.revoked_at is null and (g.expires_at is null or g.expires_at > $4) and
      (g.principal_id = actor.id or g.principal_id in ( select m.team_id from team_member m join team on team.id =
      m.team_id where m.actor_id = actor.id and team.deleted_at is null and (m.lapses_at is null or m.lapses_at > $5)
      )) )
  order by actor.id
  limit $6;
