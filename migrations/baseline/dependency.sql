-- Dependencies between workspaces of one organization. They have no cycles: writers lock the table.

create table workspace_dependency (
  upstream_id text references workspace,
  downstream_id text references workspace,
  -- Whether a workspace upstream that was applied starts a run downstream.
  trigger text not null default 'OUTPUTS_CHANGED' check (trigger in ('ALWAYS', 'NEVER', 'OUTPUTS_CHANGED')),
  -- The outputs of the workspace upstream that are variables downstream.
  outputs jsonb not null default '[]',
  primary key (downstream_id, upstream_id),
  check (upstream_id <> downstream_id)
);
create index workspace_dependency_upstream on workspace_dependency (upstream_id);

-- The order of the members of a changeset, as the dependencies were when it was opened. A destroy goes the other way round.
create table changeset_order (
  changeset_id text references changeset,
  workspace_id text,
  after_id text,
  -- It begins even if the run before it failed.
  ignores_failure boolean not null default false,
  primary key (changeset_id, workspace_id, after_id)
);
create index changeset_order_after on changeset_order (changeset_id, after_id);
