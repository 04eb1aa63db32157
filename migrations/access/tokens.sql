-- Tokens narrow the rights of their owner.

alter table token
  -- Of tokens from before grants: it still narrows them.
  alter column role drop not null,
  -- `null`: all that the owner has.
  add column permissions text[],
  add column scope_ids text[],
  -- Addresses from which it may be used; empty: any.
  add column networks cidr[] not null default '{}',
  add column last_used_from inet,
  -- After a rotation the earlier secret is good for a while.
  add column former_hash bytea unique,
  add column former_until timestamptz(3),
  add constraint token_former check ((former_hash is null) = (former_until is null));
drop index token_live_name;
create unique index token_live_name on token (name) where revoked_at is null and role is not null;
create unique index token_live_name_of_actor on token (actor_id, name) where revoked_at is null;
create index token_of_actor on token (actor_id, id desc);

create trigger token_counted after update of role, permissions, scope_ids on token
  for each statement execute function count_rights();
