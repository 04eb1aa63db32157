-- findDeploymentInputs
select workspace.id, workspace.paused, health.health, last.kind, last.status, last.outcome, last.applied_at, exists
    (select from run where run.workspace_id = workspace.id and run.finished_at is null and run.kind in ('DEPLOY',
    'DESTROY', 'APPLY') and run.status in ('QUEUED', 'READY', 'PREPARING', 'INITIALIZING', 'PLANNING',
    'POLICY_CHECKING', 'REPLAN_REQUESTED', 'CONFIRMED', 'APPLYING', 'VERIFYING', 'PERFORMING')) as deploying, exists
    (select from run where run.workspace_id = workspace.id and run.applied_at is not null) as applied
  from workspace
  left join lateral (select run.kind, run.status, run.outcome, run.applied_at from run where run.workspace_id =
      workspace.id and run.kind in ('DEPLOY', 'DESTROY', 'APPLY') and run.finished_at is not null and (run.applying_at
      is not null or run.status in ('FAILED', 'TIMED_OUT')) order by run.id desc limit 1) last on true
  left join workspace_health health on health.workspace_id = workspace.id
  where workspace.id = any($1::text[]);
