-- RUN_APPROVE becomes a permission for each gate, RUN_CREATE one for each kind of run. The former names stay beside
-- the new ones: a server of the release before reads them.

create function split_permissions(names text[]) returns text[] language sql immutable
  return (
    select array_agg(distinct name) from unnest(
      names
      || case when 'RUN_APPROVE' = any(names) then array['PLAN_APPROVE', 'APPLY_APPROVE'] else '{}' end
      || case when 'RUN_CREATE' = any(names) then array['RUN_PLAN', 'RUN_DEPLOY', 'RUN_DESTROY', 'RUN_TASK'] else '{}' end
    ) as name
  );

update role set permissions = split_permissions(permissions)
  where permissions && array['RUN_APPROVE', 'RUN_CREATE'];
update token set permissions = split_permissions(permissions)
  where permissions && array['RUN_APPROVE', 'RUN_CREATE'];

-- Roles and tokens that a server of the release before writes.
create function set_split_permissions() returns trigger language plpgsql as $$
begin
  new.permissions := split_permissions(new.permissions);
  return new;
end
$$;
create trigger role_permissions_split before insert or update of permissions on role for each row
  when (new.permissions && array['RUN_APPROVE', 'RUN_CREATE']) execute function set_split_permissions();
create trigger token_permissions_split before insert or update of permissions on token for each row
  when (new.permissions && array['RUN_APPROVE', 'RUN_CREATE']) execute function set_split_permissions();
