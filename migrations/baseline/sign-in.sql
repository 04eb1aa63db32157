-- How people sign in: identities at a provider, passkeys, invitations, and the sessions of their browsers.

-- A person as an identity provider knows it. The issuer and the subject identify it, never the e-mail address.
create table identity (
  issuer text not null,
  subject text not null,
  actor_id text not null references actor,
  email text,
  created_at timestamptz(3) not null,
  last_login_at timestamptz(3) not null,
  primary key (issuer, subject)
);
create index identity_of_actor on identity (actor_id);

-- What was good for one sign-in and was used: states of the identity provider, challenges of passkeys.
create table spent_attempt (
  digest bytea primary key,
  until timestamptz(3) not null
);
create index spent_attempt_until on spent_attempt (until);

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

create function identify_by_provider() returns trigger language plpgsql as $$
begin
  -- The provider knows that it is a person of its own.
  update actor set identified_by = 'PROVIDER', sponsor_id = null, sponsored_until = null where id = new.actor_id;
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

-- A browser in which a person is signed in. The cookie has the secret; its hash is here.
create table session (
  id text primary key,
  actor_id text not null references actor,
  secret_hash bytea not null unique,
  method text not null check (method in ('OIDC', 'PASSKEY', 'TOKEN')),
  -- The token that was shown to open it, which limits it and ends it.
  token_id text references token,
  -- When the secret ends that was shown; `null`: with the token.
  secret_until timestamptz(3),
  -- Of the identity provider: the issuer, the subject, and its own id of the session, if it has one.
  issuer text,
  subject text,
  provider_session text,
  address text,
  user_agent text,
  created_at timestamptz(3) not null,
  -- The last request, to the minute.
  seen_at timestamptz(3) not null,
  -- When the person last proved to be present; null: the identity provider did not send it.
  present_at timestamptz(3),
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  constraint session_of_its_method check ((method = 'TOKEN') = (token_id is not null)),
  constraint session_secret check (secret_until is null or token_id is not null)
);
create index session_of_token on session (token_id) where token_id is not null;
create index session_of_actor on session (actor_id, id desc) where revoked_at is null;
create index session_of_subject on session (issuer, subject) where revoked_at is null;
create index session_of_provider on session (issuer, provider_session)
  where revoked_at is null and provider_session is not null;
create index session_expires on session (expires_at);

-- As at tokens.
create trigger session_ended after update of revoked_at on session
  for each statement execute function count_rights();
