-- readLine
(select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command", "metadata",
    "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version",
    "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
    "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at", 'holder'
    as "part" from "run" where "workspace_id" = $1 and "holds_workspace" = $2)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'waiting' as "part" from "run" where "workspace_id" = $3 and "kind" <> $4 and "status" in ($5,
      $6, $7) order by "priority" desc, "number" limit $8)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'next' as "part" from "run" where "workspace_id" = $9 and "kind" <> $10 and "status" = $11 and
      ("scheduled_at" is null or "scheduled_at" <= $12) order by "priority" desc, "number" limit $13)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'plan' as "part" from "run" where "workspace_id" = $14 and "kind" = $15 and "status" in ($16,
      $17, $18) order by "priority" desc, "number" limit $19)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'queuedPlan' as "part" from "run" where "workspace_id" = $20 and "kind" = $21 and "status" = $22
      and ("scheduled_at" is null or "scheduled_at" <= $23) order by "priority" desc, "number" limit $24);

-- readLine: of a paused workspace
(select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command", "metadata",
    "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version",
    "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
    "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at", 'holder'
    as "part" from "run" where "workspace_id" = $1 and "holds_workspace" = $2)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'waiting' as "part" from "run" where "workspace_id" = $3 and "kind" <> $4 and "status" in ($5,
      $6, $7) order by "priority" desc, "number" limit $8)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'next' as "part" from "run" where "workspace_id" = $9 and "kind" <> $10 and "status" = $11 and
      ("scheduled_at" is null or "scheduled_at" <= $12) and false order by "priority" desc, "number" limit $13)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'plan' as "part" from "run" where "workspace_id" = $14 and "kind" = $15 and "status" in ($16,
      $17, $18) order by "priority" desc, "number" limit $19)
  union all (select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", 'queuedPlan' as "part" from "run" where "workspace_id" = $20 and "kind" = $21 and "status" = $22
      and ("scheduled_at" is null or "scheduled_at" <= $23) and false order by "priority" desc, "number" limit $24);

-- findNext
select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger", "created_by",
    "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command", "metadata", "priority",
    "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version",
    "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "workspace_id" = $1
  and "kind" <> $2
  and "status" = $3
  and ("scheduled_at" is null or "scheduled_at" <= $4)
  order by "priority" desc, "number"
  limit $5;

-- findNext: behind an interrupted apply
select "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger", "created_by",
    "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command", "metadata", "priority",
    "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version",
    "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "workspace_id" = $1
  and "kind" <> $2
  and "status" = $3
  and ("scheduled_at" is null or "scheduled_at" <= $4)
  and "kind" = $5
  order by "priority" desc, "number"
  limit $6;
