-- Actors, who are never deleted, and the tokens of the API.

create table actor (
  id text primary key,
  kind text not null check (kind in ('USER', 'MACHINE', 'SYSTEM')),
  name text not null,
  created_at timestamptz(3) not null
);

create table token (
  id text primary key,
  name text not null,
  actor_id text not null references actor,
  role text not null check (role in ('READER', 'WRITER', 'APPROVER', 'ADMIN')),
  secret_hash bytea not null unique,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create unique index token_live_name on token (name) where revoked_at is null;

-- Actors stay, so that an event needs no lock on the row of its actor.
create function actor_guard() returns trigger language plpgsql as $$
begin
  raise exception 'the actor % stays', old.id using errcode = 'HP003';
end
$$;

create trigger actor_kept before delete on actor for each row execute function actor_guard();
create trigger actor_renamed before update on actor for each row when (new.id <> old.id) execute function actor_guard();
