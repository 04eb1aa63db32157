-- listUpstreamChanges
select "workspace_id", "serial", "run_id"
  from "upstream_change"
  where "decided_at" is null
  order by "run_id"
  limit $1;

-- lockUpstreamChange
select "run_id"
  from "upstream_change"
  where "workspace_id" = $1
  and "serial" = $2
  and "decided_at" is null
  for update skip locked;

-- endUpstreamChange
update "upstream_change"
  set "decided_at" = $1, "changeset_id" = $2
  where "workspace_id" = $3
  and "serial" = $4;
