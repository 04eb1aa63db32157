-- ringWorkspace
update "run"
  set "alarm_at" = $1
  where "workspace_id" = $2
  and "finished_at" is null;

-- ringOrganization
update "organization"
  set "alarm_at" = greatest($1::timestamptz(3), alarm_at + interval '1 millisecond')
  where "id" = $2;

-- ringOrganizations
select "id"
  from "organization"
  order by "id"
  for no key update;
update "organization"
  set "alarm_at" = greatest($1::timestamptz(3), alarm_at + interval '1 millisecond');

-- listRingingOrganizations
select "id", "alarm_at"
  from "organization"
  where "alarm_at" is not null;

-- silenceOrganization
update "organization"
  set "alarm_at" = $1
  where "id" = $2
  and "alarm_at" = $3;

-- listBusyWorkspaces
select distinct "workspace_id"
  from "run"
  where "organization_id" = $1
  and "finished_at" is null;

-- listRingingRuns
select "id"
  from "run"
  where "alarm_at" <= $1
  order by "alarm_at"
  limit $2;

-- setAlarm
update "run"
  set "alarm_at" = $1
  where "id" = $2
  and "finished_at" is null;
