-- Probes of workspaces.

create table probe (
  workspace_id text references workspace,
  name text,
  position smallint not null,
  kind text not null check (kind in ('HTTP', 'GRAPHQL', 'TCP', 'TLS', 'COMMAND', 'CHECKS', 'EXTERNAL')),
  use text not null check (use in ('VERIFY', 'HEALTH', 'BOTH')),
  -- All that readers of the workspace see.
  settings jsonb not null,
  -- Values of headers, the body, and variables.
  secrets_sealed bytea not null,
  primary key (workspace_id, name)
);

-- Tests of probes that a runner sends. The server that made one waits for the samples and removes it.
create table probe_test (
  id text primary key,
  workspace_id text not null references workspace,
  -- The requests with their headers and bodies.
  requests_sealed bytea not null,
  offered_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  -- The attempt of a runner to get probes: it alone has the test.
  lease_id text,
  samples jsonb check (samples is null or lease_id is not null)
);
create index probe_test_offered on probe_test (offered_at);
