-- appendBlockerReports
with reported as ( update run set version = run.version + 1, reported_blockers = given.reported from
    unnest($1::text[], $2::text[]) with ordinality as given (id, reported, place) where run.id = given.id returning
    run.id, run.version, run.organization_id, run.workspace_id, run.changeset_id, given.place ), event as ( insert
    into run_event (run_id, version, type, at, actor_id, data) select id, version, 'CHANGED', $3, $4, $5 from reported
    ) insert into feed_pending (organization_id, workspace_id, changeset_id, run_id, version)
  select organization_id, workspace_id, changeset_id, id, version
  from reported
  order by place
  returning organization_id, workspace_id, changeset_id;

-- setReportedBlockers
update "run"
  set "reported_blockers" = $1
  where "id" = $2;

-- listStaleReports
select d.run_id, d.workspace_id, d.offered, d.reachable, ("d"."class" = 3 and "d"."reachable" and not "d"."offered"
    and coalesce("d"."pool_id" in (select p.id from runner_pool p where p.drift_check_limit is not null and (select
    true from dispatch c where c.pool_id = p.id and c.class = 3 and not c.offered and c.reachable order by c.priority
    desc, c.turn limit 1) and p.drift_check_limit is not null and p.deleted_at is null and p.drift_check_limit <=
    drift_checks_at_work(p.organization_id, p.id)), false)) as limited, d.since, run.reported
  from dispatch d
  cross join lateral (select reported_blockers as reported from run where id = d.run_id offset 0) run
  where run.reported <> case when not d.reachable then 'NO_RUNNER' when ("d"."class" = 3 and "d"."reachable" and not
      "d"."offered" and coalesce("d"."pool_id" in (select p.id from runner_pool p where p.drift_check_limit is not
      null and (select true from dispatch c where c.pool_id = p.id and c.class = 3 and not c.offered and c.reachable
      order by c.priority desc, c.turn limit 1) and p.drift_check_limit is not null and p.deleted_at is null and
      p.drift_check_limit <= drift_checks_at_work(p.organization_id, p.id)), false)) then 'DRIFT_LIMIT' when not
      d.offered then 'ORGANIZATION_LIMIT' when d.since < $1 or not $2::boolean then 'NO_RUNNER' else '' end
  order by d.since
  limit $3;

-- findDispatchReport
select "run_id", "dispatch"."workspace_id", "offered", "reachable", "since", "reported_blockers", ("dispatch"."class"
    = 3 and "dispatch"."reachable" and not "dispatch"."offered" and exists (select from runner_pool p where p.id =
    "dispatch"."pool_id" and p.drift_check_limit is not null and p.deleted_at is null and p.drift_check_limit <=
    drift_checks_at_work(p.organization_id, p.id))) as "limited"
  from "dispatch"
  inner join "run" on "run"."id" = "dispatch"."run_id"
  where "run_id" = $1;
