-- listDueSchedules
select "id"
  from "schedule"
  where "next_at" <= $1
  order by "next_at"
  limit $2;

-- insertFiring
insert into "schedule_firing" ("schedule_id", "due_at", "at", "changeset_id", "problem")
  values ($1, $2, $3, $4, $5)
  on conflict do nothing;

-- moveSchedule
update "schedule"
  set "next_at" = $1, "last_at" = $2, "last_problem" = $3
  where "id" = $4;

-- listBusyWorkspaces
select member.workspace_id
  from schedule
  join changeset_member member on member.changeset_id = schedule.last_changeset_id
  left join run on run.id = member.run_id
  where schedule.id = $1
  and case when member.run_id is null then member.problem is null else run.finished_at is null end
  order by 1;

-- removeFirings
delete from "schedule_firing"
  where "schedule_id" = $1
  and "due_at" < $2;

-- stopSchedule
update "schedule"
  set "next_at" = $1
  where "id" = $2;
