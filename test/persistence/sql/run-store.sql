-- insertRun
with numbered as ( update workspace set last_run_number = last_run_number + 1 where id = $1 returning last_run_number
    ), log as (insert into log_head (run_id, last_line) values ($2, 0)), event as (insert into run_event (run_id,
    version, at, actor_id, type, to_status, data) values ($3::text, $4::int, $5::timestamptz, $6, $7, $8, $9::jsonb)),
    entry as (insert into feed_pending (organization_id, workspace_id, changeset_id, run_id, version,
    workspace_event_id) values ($10::text, $11::text, $12::text, $13::text, $14::int, null::bigint)) insert into run
    ("number", "id", "organization_id", "project_id", "workspace_id", "kind", "status", "leg", "trigger",
    "created_by", "acting_run_id", "requested_by", "message", "revision", "source_blob_id", "work_folder",
    "inputs_digest", "commit_url", "variables_sealed", "hooks", "targets", "replace", "refresh_only", "command",
    "metadata", "priority", "scheduled_at", "alarm_at", "origin_id", "plan_run_id", "plan_version", "changeset_id",
    "cause", "version", "status_version", "created_at", "status_at")
  values ((select last_run_number from numbered), $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27,
      $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38, $39, $40, $41, $42, $43, $44, $45, $46, $47, $48, $49,
      $50)
  returning "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome",
      "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url",
      "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
      "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
      "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
      "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
      "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at";

-- lockRun
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "id" = $1
  for no key update;

-- findRuns
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "id" = any((select $1::text[])::text[])
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null);

-- findRunSummaries
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "outcome", "trigger",
    "created_by", "message", "created_at", "started_at", "finished_at"
  from "run"
  where "id" = any((select $1::text[])::text[])
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null);

-- findRun
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "id" = any((select $1::text[])::text[])
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null);

-- findRunByNumber
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "workspace_id" = $1
  and "number" = $2;

-- findHolders
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "workspace_id" in ($1)
  and "holds_workspace" = true;

-- listRunsAtGate
select "id"
  from "run"
  where "workspace_id" = $1
  and "status" in ($2, $3)
  order by "number";

-- findSealedVariables
select "id" as "runId", "workspace_id" as "workspaceId", "variables_sealed" as "sealed"
  from "run"
  where "id" in ($1, $2);

-- getRunInput
select "source_blob_id", "work_folder", "inputs_digest", "commit_url", "variables_sealed"
  from "run"
  where "id" = $1;
