-- toRunEvent
-- sends nothing

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
