-- updateRun
with event as (insert into run_event (run_id, version, at, actor_id, type, to_status, data) values ($1::text, $2::int,
    $3::timestamptz, $4, $5, $6, $7::jsonb)), entry as (insert into feed_pending (organization_id, workspace_id,
    run_id, version) values ($8, $9, $10::text, $11::int)) update run
  set "version" = $12, "status" = $13, "status_version" = $14, "status_at" = $15, "blockers_told" = $16,
      "holds_workspace" = $17, "alarm_at" = $18
  where id = $19::text
  returning "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at";

-- updateRun: without a status
with event as (insert into run_event (run_id, version, at, actor_id, type, to_status, data) values ($1::text, $2::int,
    $3::timestamptz, $4, $5, $6, $7::jsonb)), entry as (insert into feed_pending (organization_id, workspace_id,
    run_id, version) values ($8, $9, $10::text, $11::int)) update run
  set "version" = $12, "priority" = $13
  where id = $14::text
  returning "id", "organization_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
      "created_by", "replanned_by", "message", "revision", "targets", "replace", "refresh_only", "command",
      "metadata", "priority", "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at",
      "version", "plan_version", "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace",
      "origin_id", "plan_run_id", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at";
