-- readLine
(select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome",
    "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url",
    "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at",
    "reported_blockers", 'holder' as "part", null::smallint as "dispatch_class", null::integer as "dispatch_priority",
    null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where "workspace_id" = $1::text and
    "holds_workspace" = true)
  union all (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg",
      "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision",
      "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at",
      "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count",
      "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
      "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks",
      "awaited_check", "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", "reported_blockers", 'waiting' as "part", null::smallint as "dispatch_class", null::integer as
      "dispatch_priority", null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where
      "workspace_id" = $2::text and "kind" <> 'PLAN' and "status" in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED') order
      by "priority" desc, "number" limit 1000)
  union all (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg",
      "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision",
      "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at",
      "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count",
      "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
      "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks",
      "awaited_check", "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", "reported_blockers", 'next' as "part", null::smallint as "dispatch_class", null::integer as
      "dispatch_priority", null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where
      "workspace_id" = $3::text and "kind" <> 'PLAN' and "status" = 'QUEUED' and "awaits_upstream" = false and
      "awaited_check" is null and ("scheduled_at" is null or "scheduled_at" <= $4::timestamptz) order by "priority"
      desc, "number" limit 1)
  union all (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg",
      "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision",
      "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at",
      "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count",
      "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
      "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks",
      "awaited_check", "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", "reported_blockers", 'plan' as "part", null::smallint as "dispatch_class", null::integer as
      "dispatch_priority", null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where
      "workspace_id" = $5::text and "kind" = 'PLAN' and "status" in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED') order
      by "priority" desc, "number" limit 10)
  union all (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg",
      "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision",
      "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at",
      "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count",
      "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
      "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks",
      "awaited_check", "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", "reported_blockers", 'queuedPlan' as "part", null::smallint as "dispatch_class", null::integer as
      "dispatch_priority", null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where
      "workspace_id" = $6::text and "kind" = 'PLAN' and "status" = 'QUEUED' and "awaits_upstream" = false and
      "awaited_check" is null and ("scheduled_at" is null or "scheduled_at" <= $7::timestamptz) order by "priority"
      desc, "number" limit 100)
  union all (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg",
      "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision",
      "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at",
      "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count",
      "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
      "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks",
      "awaited_check", "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", "reported_blockers", 'queued' as "part", null::smallint as "dispatch_class", null::integer as
      "dispatch_priority", null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where
      "workspace_id" = $8::text and "status" = 'QUEUED' order by "priority" desc, "number" limit 11)
  union all (select "run"."id", "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number",
      "run"."kind", "run"."status", "run"."leg", "run"."outcome", "run"."trigger", "run"."created_by",
      "run"."acting_run_id", "run"."requested_by", "run"."replanned_by", "run"."message", "run"."revision",
      "run"."commit_url", "run"."targets", "run"."replace", "run"."refresh_only", "run"."command", "run"."metadata",
      "run"."priority", "run"."scheduled_at", "run"."apply_at", "run"."alarm_at", "run"."expired_limit",
      "run"."expired_at", "run"."escalated_at", "run"."version", "run"."plan_version", "run"."stage_count",
      "run"."attempt", "run"."cancel_requested_by", "run"."cancel_requested_at", "run"."forced",
      "run"."holds_workspace", "run"."origin_id", "run"."plan_run_id", "run"."changeset_id", "run"."cause",
      "run"."awaits_upstream", "run"."released_at", "run"."policy_warnings", "run"."policy_asks",
      "run"."awaited_check", "run"."judged", "run"."failure", "run"."reason", "run"."created_at", "run"."status_at",
      "run"."started_at", "run"."applied_at", "run"."finished_at", "run"."reported_blockers", 'dispatched',
      dispatch.class, dispatch.priority, dispatch.pool_id, dispatch.labels from dispatch join run on run.id =
      dispatch.run_id where dispatch.workspace_id = $9::text);

-- readLine: of a paused workspace
(select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome",
    "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url",
    "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at",
    "reported_blockers", 'holder' as "part", null::smallint as "dispatch_class", null::integer as "dispatch_priority",
    null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where "workspace_id" = $1::text and
    "holds_workspace" = true)
  union all (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg",
      "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision",
      "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at",
      "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count",
      "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
      "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks",
      "awaited_check", "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", "reported_blockers", 'waiting' as "part", null::smallint as "dispatch_class", null::integer as
      "dispatch_priority", null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where
      "workspace_id" = $2::text and "kind" <> 'PLAN' and "status" in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED') order
      by "priority" desc, "number" limit 1000)
  union all (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg",
      "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision",
      "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at",
      "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count",
      "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
      "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks",
      "awaited_check", "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", "reported_blockers", 'next' as "part", null::smallint as "dispatch_class", null::integer as
      "dispatch_priority", null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where
      "workspace_id" = $3::text and "kind" <> 'PLAN' and "status" = 'QUEUED' and "awaits_upstream" = false and
      "awaited_check" is null and ("scheduled_at" is null or "scheduled_at" <= $4::timestamptz) and false order by
      "priority" desc, "number" limit 1)
  union all (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg",
      "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision",
      "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at",
      "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count",
      "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
      "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks",
      "awaited_check", "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", "reported_blockers", 'plan' as "part", null::smallint as "dispatch_class", null::integer as
      "dispatch_priority", null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where
      "workspace_id" = $5::text and "kind" = 'PLAN' and "status" in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED') order
      by "priority" desc, "number" limit 10)
  union all (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg",
      "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision",
      "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at",
      "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count",
      "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
      "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks",
      "awaited_check", "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", "reported_blockers", 'queuedPlan' as "part", null::smallint as "dispatch_class", null::integer as
      "dispatch_priority", null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where
      "workspace_id" = $6::text and "kind" = 'PLAN' and "status" = 'QUEUED' and "awaits_upstream" = false and
      "awaited_check" is null and ("scheduled_at" is null or "scheduled_at" <= $7::timestamptz) and false order by
      "priority" desc, "number" limit 100)
  union all (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg",
      "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision",
      "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at",
      "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count",
      "attempt", "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id",
      "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks",
      "awaited_check", "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at",
      "finished_at", "reported_blockers", 'queued' as "part", null::smallint as "dispatch_class", null::integer as
      "dispatch_priority", null::text as "dispatch_pool_id", null::text[] as "dispatch_labels" from "run" where
      "workspace_id" = $8::text and "status" = 'QUEUED' order by "priority" desc, "number" limit 11)
  union all (select "run"."id", "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number",
      "run"."kind", "run"."status", "run"."leg", "run"."outcome", "run"."trigger", "run"."created_by",
      "run"."acting_run_id", "run"."requested_by", "run"."replanned_by", "run"."message", "run"."revision",
      "run"."commit_url", "run"."targets", "run"."replace", "run"."refresh_only", "run"."command", "run"."metadata",
      "run"."priority", "run"."scheduled_at", "run"."apply_at", "run"."alarm_at", "run"."expired_limit",
      "run"."expired_at", "run"."escalated_at", "run"."version", "run"."plan_version", "run"."stage_count",
      "run"."attempt", "run"."cancel_requested_by", "run"."cancel_requested_at", "run"."forced",
      "run"."holds_workspace", "run"."origin_id", "run"."plan_run_id", "run"."changeset_id", "run"."cause",
      "run"."awaits_upstream", "run"."released_at", "run"."policy_warnings", "run"."policy_asks",
      "run"."awaited_check", "run"."judged", "run"."failure", "run"."reason", "run"."created_at", "run"."status_at",
      "run"."started_at", "run"."applied_at", "run"."finished_at", "run"."reported_blockers", 'dispatched',
      dispatch.class, dispatch.priority, dispatch.pool_id, dispatch.labels from dispatch join run on run.id =
      dispatch.run_id where dispatch.workspace_id = $9::text);

-- listQueued
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at",
    "reported_blockers"
  from "run"
  where "workspace_id" = $1
  and "status" = 'QUEUED'
  order by "priority" desc, "number"
  limit 10;

-- findNext
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "workspace_id" = $1
  and "kind" <> 'PLAN'
  and "status" = 'QUEUED'
  and "awaits_upstream" = false
  and "awaited_check" is null
  and ("scheduled_at" is null or "scheduled_at" <= $2)
  order by "priority" desc, "number"
  limit 1;

-- findNext: behind an interrupted apply
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where "workspace_id" = $1
  and "kind" <> 'PLAN'
  and "status" = 'QUEUED'
  and "awaits_upstream" = false
  and "awaited_check" is null
  and ("scheduled_at" is null or "scheduled_at" <= $2)
  and "kind" = 'UNLOCK'
  order by "priority" desc, "number"
  limit 1;
