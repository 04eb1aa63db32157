-- findWaitingRunDetails
select run.id, organization.concurrency_limit, (select h.id || ' ' || h.number || ' ' ||
    to_char(coalesce(h.started_at, h.status_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from run h where h.workspace_id =
    run.workspace_id and h.holds_workspace and h.id <> run.id) as holder, case when run.awaits_upstream then ( select
    u.id || ' ' || u.number || ' ' || to_char(coalesce(u.started_at, u.status_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    from changeset_order s join changeset_member m on m.changeset_id = s.changeset_id and m.workspace_id = s.after_id
    join run u on u.id = m.run_id where s.changeset_id = run.changeset_id and s.workspace_id = run.workspace_id and
    u.finished_at is null order by m.wave, u.id limit 1 ) end as upstream, approved.first as approved, approved.count
    as approved_count, case when queued.position > 1 then ( select q.id || ' ' || q.number || ' ' ||
    to_char(coalesce(q.started_at, q.status_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from run q where q.workspace_id =
    run.workspace_id and q.status = 'QUEUED' and run.status = 'QUEUED' and not q.awaits_upstream and (q.kind = 'PLAN')
    = (run.kind = 'PLAN') and q.priority >= run.priority and (q.priority > run.priority or q.number < run.number) and
    (q.scheduled_at is null or q.scheduled_at <= $1) order by q.priority desc, q.number limit 1 ) end as queued,
    queued.position as queued_position, (select name from actor where actor.id = workspace.lock_actor_id) as
    lock_actor, (select l.number from run l where l.id = workspace.lock_run_id) as lock_run, d.offered, d.reachable,
    ("d"."class" = 3 and "d"."reachable" and not "d"."offered" and coalesce("d"."pool_id" in (select p.id from
    runner_pool p where p.drift_check_limit is not null and (select true from dispatch c where c.pool_id = p.id and
    c.class = 3 and not c.offered and c.reachable order by c.priority desc, c.turn limit 1) and p.drift_check_limit is
    not null and p.deleted_at is null and p.drift_check_limit <= drift_checks_at_work(p.organization_id, p.id)),
    false)) as limited, d.since, case when not d.reachable then (select count(*) from dispatch o where
    o.organization_id = d.organization_id and not o.reachable and o.pool_id is not distinct from d.pool_id and
    o.labels = d.labels and (o.pool_id is not null or o.labels <> '{}') and (o.class, -o.priority, o.turn) <=
    (d.class, -d.priority, d.turn)) when d.offered then (select count(*) from dispatch o where o.offered and (o.class,
    -o.priority, o.turn) <= (d.class, -d.priority, d.turn)) else (select count(*) from dispatch o where
    o.organization_id = d.organization_id and not o.offered and o.reachable and (o.class, -o.priority, o.turn) <=
    (d.class, -d.priority, d.turn)) end as place, (select count(*) from job where job.organization_id =
    run.organization_id and job.ended_at is null) as busy, (select count(*) from dispatch o where o.organization_id =
    run.organization_id and o.offered and o.run_id <> run.id) as promised, pool.name as pool, workspace.runner_labels
    as labels, runners.present, runners.draining, runners.offline, runners.draining_since, runners.offline_since,
    hold.ms as hold_ms, job.ms as job_ms
  from unnest($2::text[], $3::boolean[]) as asked (id, may_apply)
  join run on run.id = asked.id
  join organization on organization.id = run.organization_id
  join workspace on workspace.id = run.workspace_id
  left join runner_pool pool on pool.id = workspace.runner_pool_id
  left join dispatch d on d.run_id = run.id
  cross join lateral ( select count(*), (array_agg(a.id || ' ' || a.number || ' ' || to_char(coalesce(a.started_at,
      a.status_at), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') order by (a.status = 'CONFIRMED') desc, a.priority desc,
      a.number))[1] as first from run a where a.workspace_id = run.workspace_id and a.status in ('REPLAN_REQUESTED',
      'CONFIRMED') and a.kind <> 'PLAN' and not a.holds_workspace and (asked.may_apply or a.status <> 'CONFIRMED') and
      (a.apply_at is null or a.apply_at <= $4) and (run.status = 'QUEUED' or ((a.status <> 'CONFIRMED')::int,
      -a.priority, a.number) < ((run.status <> 'CONFIRMED')::int, -run.priority, run.number)) ) approved
  cross join lateral ( select count(*) + 1 as position from run q where q.workspace_id = run.workspace_id and q.status
      = 'QUEUED' and run.status = 'QUEUED' and not q.awaits_upstream and (q.kind = 'PLAN') = (run.kind = 'PLAN') and
      q.priority >= run.priority and (q.priority > run.priority or q.number < run.number) and (q.scheduled_at is null
      or q.scheduled_at <= $5) ) queued
  cross join lateral ( select case when count(*) >= $6 then percentile_cont(0.5) within group (order by took) end as
      ms from (select extract(epoch from h.finished_at - h.started_at) * 1000 as took from run h where h.workspace_id
      = run.workspace_id and h.finished_at is not null and h.started_at is not null and h.kind <> 'PLAN' order by
      h.finished_at desc limit $7) h ) hold
  cross join lateral ( select case when count(*) >= $8 then percentile_cont(0.5) within group (order by took) end as
      ms from (select extract(epoch from j.ended_at - j.claimed_at) * 1000 as took from job j where j.organization_id
      = "run"."organization_id" and j.ended_at is not null order by j.ended_at desc limit $9) j ) job
  cross join lateral ( select count(*) filter (where seen and not drained) as present, count(*) filter (where seen and
      drained) as draining, count(*) filter (where not seen) as offline, max(asked) filter (where seen and drained) as
      draining_since, max(at) filter (where not seen) as offline_since from (select r.last_seen_at >= $10 as seen,
      r.draining or r.drain_requested_at is not null as drained, r.drain_requested_at as asked, r.last_seen_at as at
      from runner r left join runner_pool p on p.id = r.pool_id where r.revoked_at is null and p.deleted_at is null
      and r.last_seen_at >= $11 and runner_takes(r.pool_id, p.organization_id, p.reserved, r.labels,
      run.organization_id, workspace.runner_pool_id, workspace.runner_labels)) r) runners;
