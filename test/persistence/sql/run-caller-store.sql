-- findWorkingRuns
select "job"."id" as "job_id", "job"."run_id", "job"."workspace_id", "job"."leg", "run"."kind" as "run_kind",
    "actor"."id", "actor"."kind", "actor"."name", (select version from access_epoch) as "access_version", (select
    moves from access_epoch) as "access_moves"
  from "job"
  inner join "run" on "run"."id" = "job"."run_id"
  inner join "actor" on "actor"."workspace_id" = "job"."workspace_id"
  where "job"."id" = any((select $1::text[])::text[])
  and "job"."ended_at" is null
  and "job"."expires_at" > $2
  and "actor"."disabled_at" is null;

-- insertActorOfRuns
insert into "actor" ("id", "kind", "name", "organization_id", "workspace_id", "created_at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("workspace_id") do nothing;

-- findWorkspacesOfActors
select "id", workspace_id as "workspace_id"
  from "actor"
  where "id" in ($1)
  and "workspace_id" is not null;
