-- updateRun
with event as (insert into run_event (run_id, version, at, actor_id, type, to_status, data) values ($1::text, $2::int,
    $3::timestamptz, $4, $5, $6, $7::jsonb)), entry as (insert into feed_pending (organization_id, workspace_id,
    changeset_id, run_id, version, workspace_event_id) values ($8::text, $9::text, $10::text, $11::text, $12::int,
    null::bigint)) update run
  set "version" = $13, "status" = $14, "status_version" = $15, "status_at" = $16, "reported_blockers" = $17,
      "holds_workspace" = $18, "alarm_at" = $19
  where id = $20::text
  returning "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome",
      "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url",
      "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
      "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
      "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
      "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
      "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at";

-- updateRun: without a status
with event as (insert into run_event (run_id, version, at, actor_id, type, to_status, data) values ($1::text, $2::int,
    $3::timestamptz, $4, $5, $6, $7::jsonb)), entry as (insert into feed_pending (organization_id, workspace_id,
    changeset_id, run_id, version, workspace_event_id) values ($8::text, $9::text, $10::text, $11::text, $12::int,
    null::bigint)) update run
  set "version" = $13, "priority" = $14
  where id = $15::text
  returning "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome",
      "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url",
      "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
      "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
      "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
      "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
      "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at";

-- updateRun: with a phase that ends, another that starts, and fields of the workspace
with ended as (update phase set status = $1, finished_at = $2 where run_id = $3::text and status = 'RUNNING' returning
    id), begun as (insert into phase (id, run_id, kind, attempt, status, runner_id, started_at) values ($4, $5::text,
    $6::text, (select coalesce(max(attempt), 0) + 1 from phase where run_id = $7::text and kind = $8::text),
    'RUNNING', $9, $10)), event as (insert into run_event (run_id, version, at, actor_id, type, to_status, data)
    values ($11::text, $12::int, $13::timestamptz, $14, 'PHASE_CHANGED', null, jsonb_build_object('phaseId', (select
    id from ended), 'to', $15::text)), ($16::text, $17::int, $18::timestamptz, $19, $20, $21, $22::jsonb)), fact as
    (insert into workspace_event (workspace_id, at, actor_id, fields) values ($23::text, $24, $25::text, $26::text[])
    returning id), entry as (insert into feed_pending (organization_id, workspace_id, changeset_id, run_id, version,
    workspace_event_id) values ($27::text, $28::text, $29::text, $30::text, $31::int, null::bigint), ($32::text,
    $33::text, $34::text, $35::text, $36::int, null::bigint) union all select $37::text, $38::text, null, null, null,
    id from fact) update run
  set "version" = $39
  where id = $40::text
  returning "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome",
      "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url",
      "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
      "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
      "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
      "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
      "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at";
