-- readLine
(select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command", "metadata",
    "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version",
    "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
    "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at", 'holder'
    as "part" from "run" where "workspace_id" = $1 and "holds_workspace" = true)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'waiting' as "part" from "run" where "workspace_id" = $2 and "kind" <> 'PLAN' and "status" in
      ('READY', 'REPLAN_REQUESTED', 'CONFIRMED') order by "priority" desc, "number" limit 1000)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'next' as "part" from "run" where "workspace_id" = $3 and "kind" <> 'PLAN' and "status" =
      'QUEUED' and ("scheduled_at" is null or "scheduled_at" <= $4) order by "priority" desc, "number" limit 1)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'plan' as "part" from "run" where "workspace_id" = $5 and "kind" = 'PLAN' and "status" in
      ('READY', 'REPLAN_REQUESTED', 'CONFIRMED') order by "priority" desc, "number" limit 1)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'queuedPlan' as "part" from "run" where "workspace_id" = $6 and "kind" = 'PLAN' and "status" =
      'QUEUED' and ("scheduled_at" is null or "scheduled_at" <= $7) order by "priority" desc, "number" limit 10);

-- readLine: of a paused workspace
(select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command", "metadata",
    "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version",
    "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
    "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at", 'holder'
    as "part" from "run" where "workspace_id" = $1 and "holds_workspace" = true)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'waiting' as "part" from "run" where "workspace_id" = $2 and "kind" <> 'PLAN' and "status" in
      ('READY', 'REPLAN_REQUESTED', 'CONFIRMED') order by "priority" desc, "number" limit 1000)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'next' as "part" from "run" where "workspace_id" = $3 and "kind" <> 'PLAN' and "status" =
      'QUEUED' and ("scheduled_at" is null or "scheduled_at" <= $4) and false order by "priority" desc, "number" limit
      1)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'plan' as "part" from "run" where "workspace_id" = $5 and "kind" = 'PLAN' and "status" in
      ('READY', 'REPLAN_REQUESTED', 'CONFIRMED') order by "priority" desc, "number" limit 1)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'queuedPlan' as "part" from "run" where "workspace_id" = $6 and "kind" = 'PLAN' and "status" =
      'QUEUED' and ("scheduled_at" is null or "scheduled_at" <= $7) and false order by "priority" desc, "number" limit
      10);

-- findNext
select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger", "created_by",
    "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command", "metadata", "priority",
    "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version",
    "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "workspace_id" = $1
  and "kind" <> 'PLAN'
  and "status" = 'QUEUED'
  and ("scheduled_at" is null or "scheduled_at" <= $2)
  order by "priority" desc, "number"
  limit 1;

-- findNext: behind an interrupted apply
select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger", "created_by",
    "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command", "metadata", "priority",
    "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version",
    "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "workspace_id" = $1
  and "kind" <> 'PLAN'
  and "status" = 'QUEUED'
  and ("scheduled_at" is null or "scheduled_at" <= $2)
  and "kind" = 'UNLOCK'
  order by "priority" desc, "number"
  limit 1;
