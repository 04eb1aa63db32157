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
