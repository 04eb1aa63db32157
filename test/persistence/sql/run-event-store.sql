-- toRunEvent
-- sends nothing

-- appendRunEvents
with event as (insert into run_event (run_id, version, at, actor_id, type, to_status, data) select $1::text, version,
    at, actor_id, type, to_status, data::jsonb from unnest($2::integer[], $3::timestamptz[], $4::text[], $5::text[],
    $6::text[], $7::text[]) as event (version, at, actor_id, type, to_status, data)) insert into feed_pending
    (organization_id, workspace_id, run_id, version)
  select $8::text, $9::text, $10::text, version
  from unnest($11::integer[]) as version;

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
