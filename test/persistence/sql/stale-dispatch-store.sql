-- listStaleDispatch
select run.workspace_id, run.kind, run.status, run.scheduled_at, run.apply_at, false as dispatched
  from run
  join workspace w on w.id = run.workspace_id
  where run.status in ('READY', 'REPLAN_REQUESTED', 'CONFIRMED')
  and run.kind <> 'PLAN'
  and not w.paused
  and not exists (select from dispatch d where d.workspace_id = run.workspace_id and d.class < 2)
  and (run.holds_workspace or not exists (select from run h where h.workspace_id = run.workspace_id and
      h.holds_workspace))
  and (run.status <> 'CONFIRMED' or w.lock_reason is null and (run.apply_at is null or run.apply_at <= $1))
  union all
  select run.workspace_id, run.kind, run.status, run.scheduled_at, run.apply_at, false
  from run
  join workspace w on w.id = run.workspace_id
  where run.status = 'READY'
  and run.kind = 'PLAN'
  and not w.paused
  and not exists (select from dispatch d where d.workspace_id = run.workspace_id and d.class >= 2)
  union all
  select run.workspace_id, run.kind, run.status, run.scheduled_at, run.apply_at, false
  from run
  join workspace w on w.id = run.workspace_id
  where run.status = 'QUEUED'
  and run.scheduled_at <= $2
  and not run.awaits_upstream
  and (run.reported_blockers like '%SCHEDULED_AT%' or not w.paused and (run.kind = 'PLAN' or not exists (select from
      run h where h.workspace_id = run.workspace_id and h.holds_workspace)) and (w.lock_reason is null or
      w.lock_reason = 'APPLY_INTERRUPTED' and run.kind = 'UNLOCK'))
  union all
  select run.workspace_id, run.kind, run.status, run.scheduled_at, run.apply_at, true
  from dispatch d
  join run on run.id = d.run_id
  join workspace w on w.id = run.workspace_id
  join organization o on o.id = run.organization_id
  where d.class = 0
  and run.status = 'CONFIRMED'
  and (w.freeze_windows <> '[]' or o.freeze_windows <> '[]')
  limit $3;
