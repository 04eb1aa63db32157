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
