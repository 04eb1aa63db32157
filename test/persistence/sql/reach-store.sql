-- listActorIdsReaching
select distinct asked.key, actor.id
  from unnest($1::text[], $2::text[]) as asked (key, scope_id)
  join access_grant g on (g.scope_id = asked.scope_id or (asked.scope_id = '' and g.scope_id is null))
  and g.revoked_at is null
  and (g.expires_at is null or g.expires_at > $3::timestamptz)
  join role on role.id = g.role_id
  cross join lateral ( select g.principal_id as id union select m.actor_id from team_member m join team on team.id =
      m.team_id and team.deleted_at is null where m.team_id = g.principal_id and (m.lapses_at is null or m.lapses_at >
      $4::timestamptz) ) holder
  join actor on actor.id = holder.id
  and actor.disabled_at is null
  and (actor.identified_by is not null or exists ( select from token where token.actor_id = actor.id and
      token.revoked_at is null and (token.expires_at is null or token.expires_at > $5::timestamptz)))
  where role.id = any($6::text[]) or $7::text = any(role.permissions)
  order by asked.key, actor.id;

-- listApproversReaching
select found.*, array( select distinct m.team_id from team_member m join team on team.id = m.team_id and
    team.deleted_at is null where m.actor_id = found.id and (m.lapses_at is null or m.lapses_at > $1::timestamptz)
    order by m.team_id) as team_ids
  from ( select asked.key, actor.id, actor.kind, actor.identified_by, case when actor.sponsored_until >
      $2::timestamptz then actor.sponsor_id else actor.id end as counts_as, bool_or(role.id = any($3::text[]) or
      'PLAN_APPROVE' = any(role.permissions)) as plan, bool_or(role.id = any($4::text[]) or 'APPLY_APPROVE' =
      any(role.permissions)) as apply from unnest($5::text[], $6::text[]) as asked (key, scope_id) join access_grant g
      on (g.scope_id = asked.scope_id or (asked.scope_id = '' and g.scope_id is null)) and g.revoked_at is null and
      (g.expires_at is null or g.expires_at > $7::timestamptz) join role on role.id = g.role_id cross join lateral (
      select g.principal_id as id union select m.actor_id from team_member m join team on team.id = m.team_id and
      team.deleted_at is null where m.team_id = g.principal_id and (m.lapses_at is null or m.lapses_at >
      $8::timestamptz) ) holder join actor on actor.id = holder.id and actor.disabled_at is null and
      (actor.identified_by is not null or exists ( select from token where token.actor_id = actor.id and
      token.revoked_at is null and (token.expires_at is null or token.expires_at > $9::timestamptz))) group by
      asked.key, actor.id ) found
  where found.plan or found.apply
  order by found.key, found.id;

-- listScopesWithGrants
select distinct scope_id as id
  from access_grant
  where revoked_at is null
  and (organization_id = $1 or organization_id is null);
