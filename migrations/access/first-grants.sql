-- What the tokens of an installation could do becomes grants of their actors on the installation.

insert into access_grant (id, principal_id, role_id, granted_by, created_at, reason)
  select distinct on (actor_id, role.id)
    'grant_' || substr(md5(token.actor_id || role.id), 1, 26), token.actor_id, role.id,
    'sys_00000000000000000000000000', now(), 'The role of a token'
  from token join role on role.name = token.role and role.organization_id is null
  where token.revoked_at is null and (token.expires_at is null or token.expires_at > now());

-- The first administrator exists before its token does.
insert into access_grant (id, principal_id, role_id, granted_by, created_at, reason) values
  ('grant_00000000000000000000000000', 'usr_00000000000000000000000000', 'role_00000000000000000000000008',
   'sys_00000000000000000000000000', now(), 'The first administrator')
  on conflict do nothing;

-- Permissions have the names that the API shows.
update rejected_command set sight = case sight
  when 'organization:write' then 'ORGANIZATION_UPDATE'
  when 'bulk:ofOthers' then 'BULK_OTHERS'
  when 'runnerPool:write' then 'RUNNER_POOL_WRITE'
  when 'webhook:read' then 'WEBHOOK_WRITE'
  else upper(replace(sight, ':', '_')) end
where sight is not null;
