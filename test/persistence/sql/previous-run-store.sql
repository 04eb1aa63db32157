-- findPreviousRun
select "id", "status", "message", "revision", "created_at"
  from "run"
  where "workspace_id" = $1
  and "number" < $2
  and "finished_at" is not null
  order by "number" desc
  limit $3;

-- findPreviousRun: of a run that does not exist yet
select "id", "status", "message", "revision", "created_at"
  from "run"
  where "workspace_id" = $1
  and "finished_at" is not null
  order by "number" desc
  limit $2;
