-- listDue
select o.id as organization_id, c.before
  from organization o
  cross join lateral (select $1::timestamptz(3) - make_interval(days => "o"."log_days") as before) c
  left join retention_mark m on m.organization_id = o.id
  and m.kind = $2
  left join lateral ( select r.finished_at from run r where r.organization_id = o.id and r.finished_at is not null and
      (r.finished_at, r.id) > (coalesce(m.finished_at, '-infinity'), coalesce(m.run_id, '')) order by r.finished_at,
      r.id limit 1 ) next on true
  where "o"."log_days" is not null
  and (next.finished_at < c.before or false)
  order by o.id;

-- listDue: events
select o.id as organization_id, c.before
  from organization o
  cross join lateral (select $1::timestamptz(3) - make_interval(days => "o"."event_days") as before) c
  left join retention_mark m on m.organization_id = o.id
  and m.kind = $2
  left join lateral ( select r.finished_at from run r where r.organization_id = o.id and r.finished_at is not null and
      (r.finished_at, r.id) > (coalesce(m.finished_at, '-infinity'), coalesce(m.run_id, '')) order by r.finished_at,
      r.id limit 1 ) next on true
  where "o"."event_days" is not null
  and (next.finished_at < c.before or exists ( select from (select * from feed_entry f where f.organization_id = o.id
      order by f.position limit 1) f left join run_event e on e.run_id = f.run_id and e.version = f.version left join
      workspace_event w on w.id = f.workspace_event_id left join changeset_event s on s.id = f.changeset_event_id
      where coalesce(e.at, w.at, s.at) < c.before ))
  order by o.id;

-- takeMark
insert into "retention_mark" ("organization_id", "kind", "finished_at", "run_id")
  values ($1, $2, $3, $4)
  on conflict do nothing;
select "finished_at", "run_id"
  from "retention_mark"
  where "organization_id" = $1
  and "kind" = $2
  for update skip locked;

-- moveMark
update "retention_mark"
  set "finished_at" = $1, "run_id" = $2
  where "organization_id" = $3
  and "kind" = $4;

-- listEndedRuns
select id, finished_at, plan_run_id
  from run
  where organization_id = $1
  and finished_at is not null
  and finished_at < $2
  and (finished_at, id) > ($3, $4)
  order by finished_at, id
  limit $5;

-- removeLogs
update "log_head"
  set "expired_at" = $1
  where "run_id" in ($2, $3)
  and "last_line" > $4
  and "expired_at" is null;
delete from run_mask m
  using run r
  where r.id = any($1)
  and m.run_id = r.id
  and r.kind <> 'PLAN';
delete from log_batch
  where (run_id, last_line) in ( select run_id, last_line from log_batch where run_id = any($1) order by run_id,
      last_line limit $2 );

-- removeRunEvents
delete from run_event e
  using run r
  where r.id = any($1)
  and e.run_id = r.id
  and e.version <> r.version
  and e.at < $2
  and e.type not in ('STATUS_CHANGED', 'APPROVAL_RECORDED');

-- removeFeed
select f.position, f.workspace_event_id, f.changeset_event_id, coalesce(e.at, w.at, s.at, '-infinity') < $1 as old
  from ( select * from feed_entry where organization_id = $2 order by position limit $3 ) f
  left join run_event e on e.run_id = f.run_id
  and e.version = f.version
  left join workspace_event w on w.id = f.workspace_event_id
  left join changeset_event s on s.id = f.changeset_event_id
  order by f.position;
delete from "feed_entry"
  where "organization_id" = $1
  and "position" <= $2;
delete from "workspace_event"
  where "id" in ($1);

-- findLogExpiries
select "run_id", "expired_at"
  from "log_head"
  where "run_id" in ($1, $2)
  and "expired_at" is not null;
