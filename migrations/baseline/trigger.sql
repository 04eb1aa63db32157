-- What changes of refs came to, by workspace. A change that does not concern a workspace, or not its inputs, has no row.
create table trigger_decision (
  ref_change_id text references ref_change,
  workspace_id text references workspace,
  outcome text not null check (outcome in ('RUN_CREATED', 'SKIPPED', 'WAITING_FOR_OK', 'PLAN_KEPT')),
  reason text not null,
  message text not null,
  run_id text references run,
  at timestamptz(3) not null,
  primary key (ref_change_id, workspace_id)
);
create index trigger_decision_of_workspace on trigger_decision (workspace_id);
create index trigger_decision_of_run on trigger_decision (run_id) where run_id is not null;
