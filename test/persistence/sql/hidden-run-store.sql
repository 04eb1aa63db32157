-- takeDeletedWorkspace
select "id"
  from "workspace"
  where "deleted_at" is not null
  and not runs_hidden
  order by "id"
  limit $1
  for no key update skip locked;

-- hideRuns
with next as ( select id from run where workspace_id = $1 and id > $2 order by id limit $3 ), hidden as ( update run
    set hidden = true from next where run.id = next.id and not run.hidden )
  select max(id) as last
  from next;

-- noteRunsHidden
update "workspace"
  set "runs_hidden" = $1
  where "id" = $2;
