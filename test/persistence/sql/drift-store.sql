-- listPlannedChanges
select "position", "address", "type", "action", "bytes", md5(concat(before::text, '|', after::text)) as "digest"
  from "resource_change"
  where "plan_id" = $1
  and "action" not in ($2, $3)
  order by "position";

-- listFoundChanges
select "address", "type", "action", "paths", "relevant", md5(after::text) as "digest"
  from "resource_drift"
  where "plan_id" = $1
  order by "position";

-- hasLiveRun
select "id"
  from "run"
  where "workspace_id" = $1
  and "finished_at" is null
  and "kind" <> $2
  limit $3;

-- isChanging
select "id"
  from "run"
  where "workspace_id" = $1
  and "finished_at" is null
  and "kind" <> $2
  and "applying_at" is not null
  limit $3;

-- setDrift
update "workspace"
  set "drift" = $1
  where "id" = $2;

-- hideRun
update "run"
  set "hidden" = $1
  where "id" = $2;
