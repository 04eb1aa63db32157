-- Tokens of the API, which narrow the rights of their owners, and the ways in which programs get one.

-- Tokens of another issuer for which a machine user gets a short token.
create table trust_rule (
  id text primary key,
  actor_id text not null references actor,
  issuer text not null,
  audience text not null,
  -- Patterns, in which * matches any text.
  subject text not null,
  claims jsonb not null,
  max_seconds integer not null,
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index trust_rule_of_actor on trust_rule (actor_id, id) where deleted_at is null;
create index trust_rule_of_issuer on trust_rule (issuer, audience) where deleted_at is null;

create table token (
  id text primary key,
  name text not null,
  actor_id text not null references actor,
  -- The role that the rights are narrowed to; `null`: none.
  role text check (role in ('READER', 'WRITER', 'APPROVER', 'ADMIN')),
  -- `null`: all that the owner has.
  permissions text[],
  scope_ids text[],
  -- Addresses from which it may be used; empty: any.
  networks cidr[] not null default '{}',
  secret_hash bytea not null unique,
  -- After a rotation the earlier secret is good for a while.
  former_hash bytea unique,
  former_until timestamptz(3),
  rotated_at timestamptz(3),
  -- The rule that gave it. It is removed some time after its end.
  trust_rule_id text references trust_rule,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  last_used_from inet,
  -- `null`: only the admin token of the installation.
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  constraint token_former check ((former_hash is null) = (former_until is null)),
  constraint token_rotated check ((former_hash is null) or (rotated_at is not null))
);
create unique index token_live_name on token (name) where revoked_at is null and role is not null;
create unique index token_live_name_of_actor on token (actor_id, name) where revoked_at is null;
create index token_of_actor on token (actor_id, id desc);
create index token_of_trust_rule on token (trust_rule_id) where trust_rule_id is not null;
create index exchanged_token_expires on token (expires_at) where trust_rule_id is not null;

create trigger token_counted after update of role, permissions, scope_ids on token
  for each statement execute function count_rights();
-- Streams compare the version with each page that they read, so that they notice the end of a token without a hint.
create trigger token_ended after update of revoked_at, former_hash, former_until, networks, expires_at on token
  for each statement execute function count_rights();

-- A program that asks a person for a token. No secret is here that could be used.

create table program_request (
  -- SHA-256 of the device code, or of the code that the browser brings to the program.
  secret_hash bytea primary key,
  -- Keyed digest of the code that the person types. Absent where the browser brings the answer.
  user_code_mac bytea unique,
  -- The name that the program gave itself, and its network address.
  client text not null,
  address text,
  -- Permissions that it asks for; null: all that the person has.
  permissions text[],
  -- Where the browser brings the code, and the challenge of PKCE.
  redirect_uri text,
  challenge text,
  actor_id text references actor,
  decision text check (decision in ('ALLOWED', 'DENIED')),
  -- The pause that the program must make between two questions, and the last one.
  poll_ms integer not null,
  polled_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- The token that it got.
  token_id text,
  check ((user_code_mac is null) = (redirect_uri is not null)),
  check ((redirect_uri is null) = (challenge is null)),
  check ((actor_id is null) = (decision is null))
);
create index program_request_expires on program_request (expires_at);
