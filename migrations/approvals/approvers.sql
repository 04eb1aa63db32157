-- How it is known which person a user is; null: by a token alone, which is no proof.
alter table actor add column identified_by text check (identified_by in ('PROVIDER', 'PASSKEY'));
update actor set identified_by = 'PASSKEY' where exists (select from passkey where passkey.actor_id = actor.id);
update actor set identified_by = 'PROVIDER' where exists (select from identity where identity.actor_id = actor.id);

create function identify_by_provider() returns trigger language plpgsql as $$
begin
  update actor set identified_by = 'PROVIDER' where id = new.actor_id;
  return null;
end
$$;
create trigger identity_identifies after insert on identity for each row execute function identify_by_provider();

create function identify_by_passkey() returns trigger language plpgsql as $$
begin
  update actor set identified_by = 'PASSKEY' where id = new.actor_id and identified_by is null;
  return null;
end
$$;
create trigger passkey_identifies after insert on passkey for each row execute function identify_by_passkey();

-- What an approver counted as at the time of the decision. A server of the release before writes the default.
alter table approval
  add column approver_kind text not null default 'UNIDENTIFIED'
    check (approver_kind in ('PERSON', 'UNIDENTIFIED', 'MACHINE')),
  -- The teams of the approver.
  add column team_ids text[] not null default '{}',
  -- The approver had proved to be present shortly before.
  add column present boolean not null default false;
update approval set approver_kind = case actor.kind when 'MACHINE' then 'MACHINE' else 'PERSON' end
  from actor where actor.id = approval.actor_id and (actor.kind = 'MACHINE' or actor.identified_by is not null);
