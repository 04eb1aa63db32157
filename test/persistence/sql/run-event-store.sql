-- toRunEvent
-- sends nothing

-- appendRunEvent
with event as (insert into run_event (run_id, version, at, actor_id, type, to_status, data) values ($1::text, $2::int,
    $3::timestamptz, $4, $5, $6, $7::jsonb)) insert into feed_pending (organization_id, workspace_id, run_id, version)
  values ($8, $9, $10::text, $11::int);

-- listRunEvents
select *
  from "run_event"
  where "run_id" = $1
  order by "version" asc
  limit $2;

-- listRunEvents: backward
select *
  from "run_event"
  where "run_id" = $1
  and "version" > $2
  and "version" < $3
  order by "version" desc
  limit $4;

-- listStatusChanges
select *
  from "run_event"
  where "run_id" in ($1)
  and "type" = $2
  order by "version";
