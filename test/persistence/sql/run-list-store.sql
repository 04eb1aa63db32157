-- listRuns
select "newest".*
  from unnest((select $1::text[])) as asked (workspace_id)
  inner join lateral (select * from (select "id", "organization_id", "project_id", "workspace_id", "number", "kind",
      "status", "leg", "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message",
      "revision", "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority",
      "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version",
      "plan_version", "stage_count", "attempt", "cancel_requested_by", "cancel_requested_at", "forced",
      "holds_workspace", "origin_id", "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at",
      "policy_warnings", "policy_asks", "awaited_check", "judged", "failure", "reason", "created_at", "status_at",
      "started_at", "applied_at", "finished_at" from "run" where run.workspace_id = "asked"."workspace_id" and not
      run.hidden and exists (select from workspace kept where kept.id = "asked"."workspace_id" and kept.deleted_at is
      null) order by "id" desc limit 101) as "most" order by "id" desc limit (select $2::int)) as "newest" on true
  order by "newest"."id" desc;

-- listRuns: of an organization
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and "organization_id" = $1
  order by "id" desc
  limit $2
  offset $3 /* planned each time */;

-- listRuns: backward
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where run.workspace_id = $1
  and not run.hidden
  and exists (select from workspace kept where kept.id = $2 and kept.deleted_at is null)
  and "id" < $3
  and "id" > $4
  order by "id" asc
  limit $5
  offset $6 /* planned each time */;

-- listRuns: of workspaces with labels
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and exists (select from workspace labelled where labelled.id = run.workspace_id and labelled.deleted_at is null and
      ("labelled"."labels" <> '{}' and label_terms("labelled"."labels") @> $1::text[]))
  order by "id" desc
  limit $2
  offset $3 /* planned each time */;

-- listRuns: in a scope
select distinct on (id) *
  from ( select newest.* from unnest((select $1::text[])) as part (id) cross join lateral ( select "run"."id",
      "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number", "run"."kind", "run"."status",
      "run"."leg", "run"."outcome", "run"."trigger", "run"."created_by", "run"."acting_run_id", "run"."requested_by",
      "run"."replanned_by", "run"."message", "run"."revision", "run"."commit_url", "run"."targets", "run"."replace",
      "run"."refresh_only", "run"."command", "run"."metadata", "run"."priority", "run"."scheduled_at",
      "run"."apply_at", "run"."alarm_at", "run"."expired_limit", "run"."expired_at", "run"."escalated_at",
      "run"."version", "run"."plan_version", "run"."stage_count", "run"."attempt", "run"."cancel_requested_by",
      "run"."cancel_requested_at", "run"."forced", "run"."holds_workspace", "run"."origin_id", "run"."plan_run_id",
      "run"."changeset_id", "run"."cause", "run"."awaits_upstream", "run"."released_at", "run"."policy_warnings",
      "run"."policy_asks", "run"."awaited_check", "run"."judged", "run"."failure", "run"."reason", "run"."created_at",
      "run"."status_at", "run"."started_at", "run"."applied_at", "run"."finished_at" from run where
      "run"."organization_id" = part.id and not run.hidden and not exists ( select from workspace gone where gone.id =
      "run"."workspace_id" and gone.deleted_at is not null) and run.project_id <> all ((select $2::text[])::text[])
      order by run.id desc limit 21 ) newest union all select newest.* from unnest((select $3::text[])) as part (id)
      cross join lateral ( select "run"."id", "run"."organization_id", "run"."project_id", "run"."workspace_id",
      "run"."number", "run"."kind", "run"."status", "run"."leg", "run"."outcome", "run"."trigger", "run"."created_by",
      "run"."acting_run_id", "run"."requested_by", "run"."replanned_by", "run"."message", "run"."revision",
      "run"."commit_url", "run"."targets", "run"."replace", "run"."refresh_only", "run"."command", "run"."metadata",
      "run"."priority", "run"."scheduled_at", "run"."apply_at", "run"."alarm_at", "run"."expired_limit",
      "run"."expired_at", "run"."escalated_at", "run"."version", "run"."plan_version", "run"."stage_count",
      "run"."attempt", "run"."cancel_requested_by", "run"."cancel_requested_at", "run"."forced",
      "run"."holds_workspace", "run"."origin_id", "run"."plan_run_id", "run"."changeset_id", "run"."cause",
      "run"."awaits_upstream", "run"."released_at", "run"."policy_warnings", "run"."policy_asks",
      "run"."awaited_check", "run"."judged", "run"."failure", "run"."reason", "run"."created_at", "run"."status_at",
      "run"."started_at", "run"."applied_at", "run"."finished_at" from run where "run"."project_id" = part.id and not
      run.hidden and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at
      is not null) order by run.id desc limit 21 ) newest union all select newest.* from unnest((select $4::text[]))
      as part (id) cross join lateral ( select "run"."id", "run"."organization_id", "run"."project_id",
      "run"."workspace_id", "run"."number", "run"."kind", "run"."status", "run"."leg", "run"."outcome",
      "run"."trigger", "run"."created_by", "run"."acting_run_id", "run"."requested_by", "run"."replanned_by",
      "run"."message", "run"."revision", "run"."commit_url", "run"."targets", "run"."replace", "run"."refresh_only",
      "run"."command", "run"."metadata", "run"."priority", "run"."scheduled_at", "run"."apply_at", "run"."alarm_at",
      "run"."expired_limit", "run"."expired_at", "run"."escalated_at", "run"."version", "run"."plan_version",
      "run"."stage_count", "run"."attempt", "run"."cancel_requested_by", "run"."cancel_requested_at", "run"."forced",
      "run"."holds_workspace", "run"."origin_id", "run"."plan_run_id", "run"."changeset_id", "run"."cause",
      "run"."awaits_upstream", "run"."released_at", "run"."policy_warnings", "run"."policy_asks",
      "run"."awaited_check", "run"."judged", "run"."failure", "run"."reason", "run"."created_at", "run"."status_at",
      "run"."started_at", "run"."applied_at", "run"."finished_at" from run where "run"."workspace_id" = part.id and
      not run.hidden and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and
      gone.deleted_at is not null) order by run.id desc limit 21 ) newest ) page
  order by id desc
  limit (select $5::int);

-- listRuns: in a scope, of an organization, from a cursor
select distinct on (id) *
  from ( select newest.* from unnest((select $1::text[])) as part (id) cross join lateral ( select "run"."id",
      "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number", "run"."kind", "run"."status",
      "run"."outcome", "run"."trigger", "run"."created_by", "run"."message", "run"."created_at", "run"."started_at",
      "run"."finished_at" from run where "run"."organization_id" = part.id and not run.hidden and not exists ( select
      from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null) and run.id < $2 and
      run.project_id <> all ((select $3::text[])::text[]) order by run.id desc limit 21 ) newest union all select
      newest.* from unnest((select $4::text[])) as part (id) cross join lateral ( select "run"."id",
      "run"."organization_id", "run"."project_id", "run"."workspace_id", "run"."number", "run"."kind", "run"."status",
      "run"."outcome", "run"."trigger", "run"."created_by", "run"."message", "run"."created_at", "run"."started_at",
      "run"."finished_at" from run where "run"."project_id" = part.id and not run.hidden and not exists ( select from
      workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null) and run.id < $5 and
      run.organization_id = $6 order by run.id desc limit 21 ) newest union all select newest.* from unnest((select
      $7::text[])) as part (id) cross join lateral ( select "run"."id", "run"."organization_id", "run"."project_id",
      "run"."workspace_id", "run"."number", "run"."kind", "run"."status", "run"."outcome", "run"."trigger",
      "run"."created_by", "run"."message", "run"."created_at", "run"."started_at", "run"."finished_at" from run where
      "run"."workspace_id" = part.id and not run.hidden and not exists ( select from workspace gone where gone.id =
      "run"."workspace_id" and gone.deleted_at is not null) and run.id < $8 and run.organization_id = $9 order by
      run.id desc limit 21 ) newest ) page
  order by id desc
  limit (select $10::int);

-- listRuns: in a scope, filtered
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and (("run"."organization_id" = any($1::text[]) and "run"."project_id" <> all($2::text[])) or "run"."project_id" =
      any($3::text[]) or "run"."workspace_id" = any($4::text[]))
  and "status" in ($5)
  order by "id" desc
  limit $6
  offset $7 /* planned each time */;

-- listRuns: but for isolated projects
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and ((true and "run"."project_id" <> all($1::text[])) or "run"."workspace_id" = any($2::text[]))
  order by "id" desc
  limit $3
  offset $4 /* planned each time */;

-- listRuns: in no scope
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and false
  order by "id" desc
  limit $1
  offset $2 /* planned each time */;

-- listRuns: by offset
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and "organization_id" = $1
  order by "id" desc
  limit $2
  offset $3 /* planned each time */;

-- listRuns: every filter
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and "organization_id" = $1
  and "status" in ($2, $3)
  and "kind" in ($4)
  and "trigger" in ($5)
  and "status" not in ($6, $7)
  and (run.status = any($8) and concat_ws(',', run.kind, run.status, run.leg, coalesce(run.outcome, ''),
      run.forced::text) = any($9))
  and "created_at" > $10
  and "id" >= $11
  and "created_at" < $12
  and "id" < $13
  and metadata <> '{}'
  and metadata @> $14::jsonb
  order by "id" desc
  limit $15
  offset $16 /* planned each time */;

-- listRuns: every search
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and "run"."workspace_id" = $1
  and "run"."created_by" = $2
  and "status" = $3
  and "outcome" in ($4)
  and exists (select from workspace named where named.id = run.workspace_id and strpos(lower("named"."name"),
      lower($5)) > 0)
  and (strpos(lower("run"."message"), lower($6)) > 0 or exists (select from workspace named where named.id =
      run.workspace_id and strpos(lower("named"."name"), lower($7)) > 0))
  and run.plan_version > 0
  and exists (select from plan where plan.run_id = coalesce(run.plan_run_id, run.id) and plan.version =
      run.plan_version and plan.destructions >= $8)
  and "finished_at" > $9
  and "id" >= $10
  order by "id" desc
  limit $11
  offset $12 /* planned each time */;

-- listRuns: those about which a person does something
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and (run.status = any($1::text[]) and case when run.status in ('QUEUED', 'CONFIRMED') and exists ( select from
      workspace locked where locked.id = run.workspace_id and locked.lock_reason is not null and
      (locked.lock_expires_at is null or locked.lock_expires_at > $2::timestamptz) and not (run.kind = 'UNLOCK' and
      locked.lock_reason = 'APPLY_INTERRUPTED')) then 'RELEASE_LOCK' when run.status in ('VERIFYING') and exists (
      select from verification where verification.run_id = run.id and verification.status = 'INCONCLUSIVE') then
      'JUDGE_VERIFICATION' when run.policy_asks and run.status in ('AWAITING_PLAN_APPROVAL') then 'OVERRIDE_POLICY'
      when run.status = 'STOPPED' and run.leg in ('APPLY', 'DESTROY') then 'FIX_AND_RERUN' else case run.status when
      'QUEUED' then 'WAIT' when 'READY' then 'WAIT' when 'PREPARING' then 'WAIT' when 'INITIALIZING' then 'WAIT' when
      'PLANNING' then 'WAIT' when 'POLICY_CHECKING' then 'WAIT' when 'AWAITING_PLAN_APPROVAL' then 'REVIEW_PLAN' when
      'AWAITING_APPLY_APPROVAL' then 'CONFIRM_APPLY' when 'REPLAN_REQUESTED' then 'WAIT' when 'CONFIRMED' then 'WAIT'
      when 'APPLYING' then 'WAIT' when 'VERIFYING' then 'WAIT' when 'PERFORMING' then 'WAIT' when 'FINISHED' then
      'NONE' when 'FAILED' then 'FIX_AND_RERUN' when 'TIMED_OUT' then 'FIX_AND_RERUN' when 'REJECTED' then
      'FIX_AND_RERUN' when 'DISCARDED' then 'NONE' when 'CANCELED' then 'NONE' when 'STOPPED' then 'NONE' when
      'SKIPPED' then 'NONE' end end = any($3::text[]))
  order by "id" desc
  limit $4
  offset $5 /* planned each time */;

-- listRuns: those with blockers of some kinds
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and (run.status = any($1::text[]) and exists ( select from workspace w join organization o on o.id =
      w.organization_id cross join lateral ( select w.lock_reason is not null and (w.lock_expires_at is null or
      w.lock_expires_at > $2::timestamptz) as locked, exists (select from jsonb_array_elements(w.freeze_windows ||
      o.freeze_windows) as held where held.value = any($3::text[]::jsonb[])) as frozen ) place cross join lateral (
      select run.status = 'QUEUED' as queued, place.locked and run.status in ('QUEUED', 'CONFIRMED') and not (run.kind
      = 'UNLOCK' and w.lock_reason = 'APPLY_INTERRUPTED') as locked, run.status = 'QUEUED' and run.awaits_upstream as
      upstream, coalesce(case run.status when 'QUEUED' then run.scheduled_at when 'CONFIRMED' then run.apply_at end >
      $4::timestamptz, false) as scheduled, run.status = 'QUEUED' and coalesce(run.cause->>'type' = 'PROMOTION',
      false) as soaks, run.status = 'CONFIRMED' and place.frozen as frozen, run.awaited_check is not null as judged,
      run.kind <> 'PLAN' and not run.holds_workspace and ( exists (select from run h where h.workspace_id =
      run.workspace_id and h.holds_workspace and h.id <> run.id) or not w.paused and exists (select from run a where
      a.workspace_id = run.workspace_id and a.status in ('REPLAN_REQUESTED', 'CONFIRMED') and a.kind <> 'PLAN' and not
      a.holds_workspace and (not (place.locked or place.frozen) or a.status <> 'CONFIRMED') and (a.apply_at is null or
      a.apply_at <= $5) and (run.status = 'QUEUED' or ((a.status <> 'CONFIRMED')::int, -a.priority, a.number) <
      ((run.status <> 'CONFIRMED')::int, -run.priority, run.number))) or exists (select from run q where
      q.workspace_id = run.workspace_id and q.status = 'QUEUED' and run.status = 'QUEUED' and not q.awaits_upstream
      and (q.kind = 'PLAN') = (run.kind = 'PLAN') and q.priority >= run.priority and (q.priority > run.priority or
      q.number < run.number) and (q.scheduled_at is null or q.scheduled_at <= $6::timestamptz)) ) as behind, exists
      (select from dispatch d where d.run_id = run.id and d.reachable and not d.offered and not ("d"."class" = 3 and
      "d"."reachable" and not "d"."offered" and coalesce("d"."pool_id" in (select p.id from runner_pool p where
      p.drift_check_limit is not null and (select true from dispatch c where c.pool_id = p.id and c.class = 3 and not
      c.offered and c.reachable order by c.priority desc, c.turn limit 1) and p.drift_check_limit is not null and
      p.deleted_at is null and p.drift_check_limit <= drift_checks_at_work(p.organization_id, p.id)), false))) as
      over_limit, exists (select from dispatch d where d.run_id = run.id and ("d"."class" = 3 and "d"."reachable" and
      not "d"."offered" and coalesce("d"."pool_id" in (select p.id from runner_pool p where p.drift_check_limit is not
      null and (select true from dispatch c where c.pool_id = p.id and c.class = 3 and not c.offered and c.reachable
      order by c.priority desc, c.turn limit 1) and p.drift_check_limit is not null and p.deleted_at is null and
      p.drift_check_limit <= drift_checks_at_work(p.organization_id, p.id)), false))) as over_drift_limit, not exists
      (select from dispatch d where d.run_id = run.id and d.reachable and (not d.offered or d.since >= $7::timestamptz
      and exists (select from runner r left join runner_pool p on p.id = r.pool_id where runner_takes(r.pool_id,
      p.organization_id, p.reserved, r.labels, "run"."organization_id", "w"."runner_pool_id",
      "w"."runner_labels"::text[]) and (r.revoked_at is null and p.deleted_at is null and not r.draining and
      r.drain_requested_at is null and r.last_seen_at >= $8)))) as without_runner ) fact cross join lateral ( select
      fact.*, not (w.paused or fact.locked or fact.upstream or fact.scheduled or fact.frozen or fact.judged) as free )
      found where w.id = run.workspace_id and (found.locked or found.free and not found.behind and
      found.without_runner)))
  order by "id" desc
  limit $9
  offset $10 /* planned each time */;

-- listRuns: oldest first
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and "id" > $1
  order by "id" asc
  limit $2
  offset $3 /* planned each time */;

-- listRuns: those that wait for approval
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and "organization_id" = $1
  and "status" in ($2, $3)
  order by "id" desc
  limit $4
  offset $5 /* planned each time */;

-- listRuns: of no status
select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome", "trigger",
    "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url", "targets",
    "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
    "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
    "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
    "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
    "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and false
  and "organization_id" = $1
  order by "id" desc
  limit $2
  offset $3 /* planned each time */;

-- listNewestRuns
select "newest".*
  from unnest((select $1::text[])) as asked (workspace_id)
  inner join lateral (select * from (select "id", "organization_id", "project_id", "workspace_id", "number", "kind",
      "status", "leg", "outcome", "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message",
      "revision", "commit_url", "targets", "replace", "refresh_only", "command", "metadata", "priority",
      "scheduled_at", "apply_at", "alarm_at", "expired_limit", "expired_at", "escalated_at", "version",
      "plan_version", "stage_count", "attempt", "cancel_requested_by", "cancel_requested_at", "forced",
      "holds_workspace", "origin_id", "plan_run_id", "changeset_id", "cause", "awaits_upstream", "released_at",
      "policy_warnings", "policy_asks", "awaited_check", "judged", "failure", "reason", "created_at", "status_at",
      "started_at", "applied_at", "finished_at" from "run" where run.workspace_id = "asked"."workspace_id" and not
      run.hidden and exists (select from workspace kept where kept.id = "asked"."workspace_id" and kept.deleted_at is
      null) order by "id" desc limit 101) as "most" order by "id" desc limit (select $2::int)) as "newest" on true
  order by "newest"."id" desc;

-- listNewestRuns: summaries
select "newest".*
  from unnest((select $1::text[])) as asked (workspace_id)
  inner join lateral (select * from (select "id", "organization_id", "project_id", "workspace_id", "number", "kind",
      "status", "outcome", "trigger", "created_by", "message", "created_at", "started_at", "finished_at" from "run"
      where run.workspace_id = "asked"."workspace_id" and not run.hidden and exists (select from workspace kept where
      kept.id = "asked"."workspace_id" and kept.deleted_at is null) order by "id" desc limit 101) as "most" order by
      "id" desc limit (select $2::int)) as "newest" on true
  order by "newest"."id" desc;

-- listRuns: of a workspace, from a cursor
select *
  from (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome",
      "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url",
      "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
      "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
      "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
      "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
      "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at" from "run"
      where run.workspace_id = $1 and not run.hidden and exists (select from workspace kept where kept.id = $2 and
      kept.deleted_at is null) and "id" < $3 order by "id" desc limit 101) as "most"
  order by "id" desc
  limit (select $4::int);

-- listRuns: summaries of all
select *
  from (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "outcome",
      "trigger", "created_by", "message", "created_at", "started_at", "finished_at" from "run" where not run.hidden
      and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not
      null) order by "id" desc limit 101) as "most"
  order by "id" desc
  limit (select $1::int);

-- listRuns: of all, from a cursor
select *
  from (select "id", "organization_id", "project_id", "workspace_id", "number", "kind", "status", "leg", "outcome",
      "trigger", "created_by", "acting_run_id", "requested_by", "replanned_by", "message", "revision", "commit_url",
      "targets", "replace", "refresh_only", "command", "metadata", "priority", "scheduled_at", "apply_at", "alarm_at",
      "expired_limit", "expired_at", "escalated_at", "version", "plan_version", "stage_count", "attempt",
      "cancel_requested_by", "cancel_requested_at", "forced", "holds_workspace", "origin_id", "plan_run_id",
      "changeset_id", "cause", "awaits_upstream", "released_at", "policy_warnings", "policy_asks", "awaited_check",
      "judged", "failure", "reason", "created_at", "status_at", "started_at", "applied_at", "finished_at" from "run"
      where not run.hidden and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and
      gone.deleted_at is not null) and "id" < $1 order by "id" desc limit 101) as "most"
  order by "id" desc
  limit (select $2::int);

-- newestPlannedRuns
-- sends nothing

-- newestRunsAskedOf
-- sends nothing

-- selectRunsForBulk
select "id", "plan_version"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and "organization_id" = $1
  and "status" in ($2)
  order by "id"
  limit $3 /* planned each time */;

-- countRuns: in a scope
select count(*) as "count"
  from (select "id" from "run" where not run.hidden and not exists ( select from workspace gone where gone.id =
      "run"."workspace_id" and gone.deleted_at is not null) and (("run"."organization_id" = any($1::text[]) and
      "run"."project_id" <> all($2::text[])) or "run"."project_id" = any($3::text[]) or "run"."workspace_id" =
      any($4::text[])) limit $5) as "some" /* planned each time */;

-- selectRunsForBulk: in a scope
select "id", "plan_version"
  from "run"
  where not run.hidden
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and (("run"."organization_id" = any($1::text[]) and "run"."project_id" <> all($2::text[])) or "run"."project_id" =
      any($3::text[]) or "run"."workspace_id" = any($4::text[]))
  and "status" in ($5)
  order by "id"
  limit $6 /* planned each time */;

-- countRuns
select count(*) as "count"
  from (select "id" from "run" where run.workspace_id = $1 and not run.hidden and exists (select from workspace kept
      where kept.id = $2 and kept.deleted_at is null) limit $3) as "some" /* planned each time */;
