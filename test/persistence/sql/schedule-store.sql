-- insertSchedule
insert into "schedule" ("id", "organization_id", "workspace_id", "pipeline_id", "stage", "created_at", "label",
    "name", "cron", "time_zone", "spread_minutes", "misfire", "action", "command", "enabled", "owner_id", "next_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17);

-- updateScheduleRow
update "schedule"
  set "label" = $1, "name" = $2, "cron" = $3, "time_zone" = $4, "spread_minutes" = $5, "misfire" = $6, "action" = $7,
      "command" = $8, "enabled" = $9, "owner_id" = $10, "next_at" = $11
  where "id" = $12;

-- lockSchedule
select "schedule".*, "workspace"."project_id"
  from "schedule"
  left join "workspace" on "workspace"."id" = "schedule"."workspace_id"
  where "schedule"."deleted_at" is null
  and "workspace"."deleted_at" is null
  and "schedule"."id" = $1
  for no key update of "schedule";

-- findSchedules
select "schedule".*, "workspace"."project_id"
  from "schedule"
  left join "workspace" on "workspace"."id" = "schedule"."workspace_id"
  where "schedule"."deleted_at" is null
  and "workspace"."deleted_at" is null
  and "schedule"."id" in ($1);

-- listSchedules
select "schedule".*, "workspace"."project_id"
  from "schedule"
  left join "workspace" on "workspace"."id" = "schedule"."workspace_id"
  where "schedule"."deleted_at" is null
  and "workspace"."deleted_at" is null
  and "schedule"."organization_id" = $1
  order by "schedule"."id" asc
  limit $2;

-- listSchedules: of a scope, backward
select "schedule".*, "workspace"."project_id"
  from "schedule"
  left join "workspace" on "workspace"."id" = "schedule"."workspace_id"
  where "schedule"."deleted_at" is null
  and "workspace"."deleted_at" is null
  and "schedule"."organization_id" = $1
  and (("schedule"."organization_id" = any($2::text[]) and ("workspace"."project_id" is null or
      "workspace"."project_id" <> all($3::text[]))) or "workspace"."project_id" = any($4::text[]) or
      "schedule"."workspace_id" = any($5::text[]))
  and "schedule"."id" > $6
  and "schedule"."id" < $7
  order by "schedule"."id" desc
  limit $8;

-- listSchedulesOfWorkspaces
select "schedule".*, "workspace"."project_id"
  from "schedule"
  left join "workspace" on "workspace"."id" = "schedule"."workspace_id"
  where "schedule"."deleted_at" is null
  and "workspace"."deleted_at" is null
  and "schedule"."workspace_id" in ($1)
  order by "schedule"."id";

-- countSchedules
select count(*) as "count"
  from "schedule"
  where "organization_id" = $1
  and "deleted_at" is null
  and not exists ( select from workspace gone where gone.id = "schedule"."workspace_id" and gone.deleted_at is not
      null);

-- markScheduleDeleted
update "schedule"
  set "deleted_at" = $1, "next_at" = $2
  where "id" = $3;
