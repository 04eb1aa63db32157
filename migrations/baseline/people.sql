-- Actors, who are never deleted, and what was refused to them.

create table actor (
  id text primary key,
  kind text not null check (kind in ('USER', 'MACHINE', 'SYSTEM')),
  name text not null,
  email text,
  -- Of a machine user that belongs to one organization.
  organization_id text references organization,
  -- How it is known which person a user is; null: by a token alone, which is no proof.
  identified_by text check (identified_by in ('PROVIDER', 'PASSKEY')),
  created_at timestamptz(3) not null,
  disabled_at timestamptz(3),
  invited_by text references actor,
  -- The actor as which a person with an invitation counts at gates until then.
  sponsor_id text references actor,
  sponsored_until timestamptz(3),
  check ((sponsor_id is null) = (sponsored_until is null))
);
create index actor_by_name on actor (lower(name) collate "C");
create index machine_user_of_organization on actor (organization_id, name) where organization_id is not null;

-- Actors stay, so that an event needs no lock on the row of its actor.
create function actor_guard() returns trigger language plpgsql as $$
begin
  raise exception 'the actor % stays', old.id using errcode = 'HP003';
end
$$;

create trigger actor_kept before delete on actor for each row execute function actor_guard();
create trigger actor_renamed before update on actor for each row when (new.id <> old.id) execute function actor_guard();

create table rejected_command (
  id bigint primary key generated always as identity,
  at timestamptz(3) not null,
  actor_id text not null references actor,
  -- The token or the session. Without a foreign key: these are removed after their end, and the record stays.
  credential_id text,
  command text not null,
  subject_id text,
  -- The place of the subject, and the permission to see it. `null` if no subject was found.
  organization_id text,
  workspace_id text,
  sight text,
  code text not null,
  message text not null
);
create index rejected_command_subject on rejected_command (subject_id, id);
create index rejected_command_workspace on rejected_command (workspace_id, id) where workspace_id is not null;
create index rejected_command_organization on rejected_command (organization_id, id) where organization_id is not null;
