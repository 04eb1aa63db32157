-- readAccessVersion
select version, moves
  from access_epoch;

-- findGrantsInForce
select asked.actor_id, epoch.version, epoch.moves, held.role_id, role.permissions, held.organization_id,
    held.scope_id, workspace.project_id, held.until
  from access_epoch epoch
  cross join unnest($1::text[]) as asked (actor_id)
  left join lateral ( select g.role_id, g.organization_id, g.scope_id, g.expires_at as until from access_grant g where
      g.principal_id = asked.actor_id and g.revoked_at is null and (g.expires_at is null or g.expires_at >
      $2::timestamptz) union all select g.role_id, g.organization_id, g.scope_id, least(g.expires_at, m.lapses_at)
      from team_member m join team on team.id = m.team_id and team.deleted_at is null join access_grant g on
      g.principal_id = m.team_id where m.actor_id = asked.actor_id and (m.lapses_at is null or m.lapses_at >
      $3::timestamptz) and g.revoked_at is null and (g.expires_at is null or g.expires_at > $4::timestamptz) ) held on
      true
  left join role on role.id = held.role_id
  left join workspace on workspace.id = held.scope_id;

-- permissionsOfRow
-- sends nothing

-- findScopes
select id as organization_id, id as scope_id, null as project_id
  from organization
  where id = any($1::text[])
  union all
  select organization_id, id, null
  from project
  where id = any($2::text[])
  and deleted_at is null
  union all
  select organization_id, id, project_id
  from workspace
  where id = any($3::text[]);

-- listProjectNodes
select "id", "organization_id", "parent_id", "isolated"
  from "project"
  where "deleted_at" is null;
