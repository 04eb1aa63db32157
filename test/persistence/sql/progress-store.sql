-- findReportedProgress
select "sequence", "reported_at"
  from "run_progress"
  where "run_id" = $1
  and "phase" = $2
  and "job_id" = $3;

-- putProgress
insert into "run_progress" ("run_id", "phase", "job_id", "sequence", "total", "done", "failed", "current",
    "current_count", "updated_at", "reported_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict ("run_id", "phase") do update
  set "job_id" = $12, "sequence" = $13, "total" = $14, "done" = $15, "failed" = $16, "current" = $17, "current_count"
      = $18, "updated_at" = $19, "reported_at" = $20;

-- findNewestProgress
select distinct on ("run_id") *
  from "run_progress"
  where "run_id" in ($1)
  order by "run_id", "phase" = $2;

-- readProgressHistory
select run.id, (select p.started_at from phase p where p.run_id = run.id and p.kind = asked.phase and p.status =
    'RUNNING') as started_at, coalesce(earlier.list, '[]') as earlier
  from unnest($1::text[], $2::text[]) as asked (id, phase)
  join run on run.id = asked.id
  cross join lateral ( select jsonb_agg(jsonb_build_object('ms', took.ms, 'total', took.total) order by
      took.finished_at desc) as list from ( select extract(epoch from p.finished_at - p.started_at)::float8 * 1000 as
      ms, g.total, ended.finished_at from (select e.id, e.finished_at from run e where e.workspace_id =
      run.workspace_id and e.finished_at is not null order by e.finished_at desc limit $3) ended join phase p on
      p.run_id = ended.id and p.kind = asked.phase and p.status = 'PASSED' and p.finished_at is not null left join
      run_progress g on g.run_id = ended.id and g.phase = asked.phase order by ended.finished_at desc limit $4 ) took
      ) earlier;
