-- listInboxCandidates
with candidate (id) as ( select run.id from run where run.status = any($1::text[]) and not run.hidden and true union
    select workspace.lock_run_id from workspace where workspace.lock_reason = 'APPLY_INTERRUPTED' and
    workspace.deleted_at is null union select run_id from recovered_state where decision is null union select run.id
    from run where run.id >= $2 and not run.hidden and true and (run.status = any($3::text[]) and run.finished_at > $4
    and not exists (select from run later where later.workspace_id = run.workspace_id and later.id > run.id)) )
  select run.id, run.version, run.status, run.created_by, run.status_at, run.escalated_at, case when
      workspace.lock_reason = 'APPLY_INTERRUPTED'
  and workspace.lock_run_id = run.id then workspace.locked_at end as interrupted_at, (select min(received_at) from
      recovered_state where run_id = run.id and decision is null) as recovered_at, case when (run.status =
      any($5::text[]) and run.finished_at > $6 and not exists (select from run later where later.workspace_id =
      run.workspace_id and later.id > run.id)) then run.finished_at end as failed_at, ((run.status = any($7::text[])
      and true) or (run.status = any($8::text[]) and true)) as is_approver, organization.approval_rules = '[]'
  and workspace.approval_rules = '[]'
  and run.stage_count = 0
  and run.plan_run_id is null
  and not run.policy_asks as is_open
  from candidate
  join run on run.id = candidate.id
  join workspace on workspace.id = run.workspace_id
  join organization on organization.id = run.organization_id
  where not run.hidden
  and workspace.deleted_at is null
  and true
  order by is_approver desc, run.id
  limit $9 /* planned each time */;

-- listInboxCandidates: own approvals
with candidate (id) as ( select run.id from run where run.status = any($1::text[]) and not run.hidden and true )
  select run.id, run.version, run.status, run.created_by, run.status_at, run.escalated_at, case when
      workspace.lock_reason = 'APPLY_INTERRUPTED'
  and workspace.lock_run_id = run.id then workspace.locked_at end as interrupted_at, (select min(received_at) from
      recovered_state where run_id = run.id and decision is null) as recovered_at, null::timestamptz as failed_at,
      ((run.status = any($2::text[]) and true) or (run.status = any($3::text[]) and true)) as is_approver,
      organization.approval_rules = '[]'
  and workspace.approval_rules = '[]'
  and run.stage_count = 0
  and run.plan_run_id is null
  and not run.policy_asks as is_open
  from candidate
  join run on run.id = candidate.id
  join workspace on workspace.id = run.workspace_id
  join organization on organization.id = run.organization_id
  where not run.hidden
  and workspace.deleted_at is null
  and true
  order by is_approver desc, run.id
  limit $4 /* planned each time */;

-- listInboxCandidates: of a scope
with candidate (id) as ( select run.id from run where run.status = any($1::text[]) and not run.hidden and
    (("run"."organization_id" = any($2::text[]) and "run"."project_id" <> all($3::text[])) or "run"."project_id" =
    any($4::text[]) or "run"."workspace_id" = any($5::text[])) union select workspace.lock_run_id from workspace where
    workspace.lock_reason = 'APPLY_INTERRUPTED' and workspace.deleted_at is null union select run_id from
    recovered_state where decision is null union select run.id from run where run.id >= $6 and not run.hidden and
    (("run"."organization_id" = any($7::text[]) and "run"."project_id" <> all($8::text[])) or "run"."project_id" =
    any($9::text[]) or "run"."workspace_id" = any($10::text[])) and (run.status = any($11::text[]) and run.finished_at
    > $12 and not exists (select from run later where later.workspace_id = run.workspace_id and later.id > run.id)) )
  select run.id, run.version, run.status, run.created_by, run.status_at, run.escalated_at, case when
      workspace.lock_reason = 'APPLY_INTERRUPTED'
  and workspace.lock_run_id = run.id then workspace.locked_at end as interrupted_at, (select min(received_at) from
      recovered_state where run_id = run.id and decision is null) as recovered_at, case when (run.status =
      any($13::text[]) and run.finished_at > $14 and not exists (select from run later where later.workspace_id =
      run.workspace_id and later.id > run.id)) then run.finished_at end as failed_at, ((run.status = any($15::text[])
      and (("run"."organization_id" = any($16::text[]) and "run"."project_id" <> all($17::text[])) or
      "run"."project_id" = any($18::text[]) or "run"."workspace_id" = any($19::text[]))) or (run.status =
      any($20::text[]) and (("run"."organization_id" = any($21::text[]) and "run"."project_id" <> all($22::text[])) or
      "run"."project_id" = any($23::text[]) or "run"."workspace_id" = any($24::text[])))) as is_approver,
      organization.approval_rules = '[]'
  and workspace.approval_rules = '[]'
  and run.stage_count = 0
  and run.plan_run_id is null
  and not run.policy_asks as is_open
  from candidate
  join run on run.id = candidate.id
  join workspace on workspace.id = run.workspace_id
  join organization on organization.id = run.organization_id
  where not run.hidden
  and workspace.deleted_at is null
  and (("run"."organization_id" = any($25::text[]) and "run"."project_id" <> all($26::text[])) or "run"."project_id" =
      any($27::text[]) or "run"."workspace_id" = any($28::text[]))
  order by is_approver desc, run.id
  limit $29 /* planned each time */;
