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
