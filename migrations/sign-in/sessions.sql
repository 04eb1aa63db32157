-- A browser in which a person is signed in. The cookie has the secret; its hash is here.

create table session (
  id text primary key,
  actor_id text not null references actor,
  secret_hash bytea not null unique,
  method text not null check (method in ('OIDC', 'PASSKEY')),
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
  revoked_at timestamptz(3)
);
create index session_of_actor on session (actor_id, id desc) where revoked_at is null;
create index session_of_subject on session (issuer, subject) where revoked_at is null;
create index session_of_provider on session (issuer, provider_session)
  where revoked_at is null and provider_session is not null;
create index session_expires on session (expires_at);
