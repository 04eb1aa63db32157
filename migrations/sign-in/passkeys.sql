create table passkey (
  id text primary key,
  actor_id text not null references actor,
  credential_id bytea not null unique,
  -- COSE key, as the authenticator gave it.
  public_key bytea not null,
  -- Signatures so far; 0 where the authenticator does not count.
  counter bigint not null,
  name text not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index passkey_of_actor on passkey (actor_id, id);

-- A link that makes its holder a member: it is good for one passkey.
create table invitation (
  id text primary key,
  organization_id text not null references organization,
  code_hash bytea not null unique,
  -- The person, created with the invitation.
  actor_id text not null references actor,
  team_ids text[] not null,
  invited_by text not null references actor,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index invitation_open on invitation (organization_id, id) where accepted_at is null and revoked_at is null;
