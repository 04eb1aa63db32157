-- readRunEventsAfter
select *, (select version from access_epoch) as "access_version"
  from "run_event"
  where "run_id" = $1
  and "version" > (select $2::int)
  order by "version"
  limit 100;

-- findRunProgress
select "status", "version", (select version from access_epoch) as "access_version"
  from "run"
  where "id" = $1
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null);
