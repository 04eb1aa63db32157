-- upsertSourceInputs
insert into "source_inputs" ("workspace_id", "digest", "commit", "folders", "paths", "unresolved", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("workspace_id", "digest") do update
  set "folders" = $8, "paths" = $9, "unresolved" = $10;

-- upsertInputsOfWorkspaces
insert into "source_inputs" ("workspace_id", "digest", "commit", "folders", "paths", "unresolved", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict ("workspace_id", "digest") do update
  set "folders" = "excluded"."folders", "paths" = "excluded"."paths", "unresolved" = "excluded"."unresolved";

-- findSourceInputs
select "workspace_id", "digest", "commit", "folders", "paths", "unresolved"
  from "source_inputs"
  where "workspace_id" in ($1)
  and "digest" in ($2);

-- findInputsOfRuns
select "run"."id", "run"."revision", "inputs"."digest", "inputs"."commit", "inputs"."folders", "inputs"."paths",
    "inputs"."unresolved"
  from "run"
  inner join "source_inputs" as "inputs" on "inputs"."workspace_id" = "run"."workspace_id"
  and "inputs"."digest" = "run"."inputs_digest"
  where "run"."id" in ($1);

-- listFoldersOfRepository
select "id" as "workspaceId", source ->> 'path' as "path"
  from "workspace"
  where source ->> 'type' = 'git'
  and source ->> 'url' = $1
  and "deleted_at" is null
  and "organization_id" = $2;

-- insertReportedFolders
insert into reported_folder (workspace_id, path, run_id, reported_at)
  select run.workspace_id, folder, run.id, $1::timestamptz
  from run
  join source_inputs inputs on inputs.workspace_id = run.workspace_id
  and inputs.digest = run.inputs_digest
  cross join unnest($2::text[]) as folder
  where run.id = $3
  and folder <> all (inputs.folders)
  on conflict do nothing;

-- listFoldersReportedBy
select "run"."id", "reported"."path"
  from "run"
  inner join "reported_folder" as "reported" on "reported"."workspace_id" = "run"."workspace_id"
  and "reported"."run_id" = "run"."id"
  where "run"."id" in ($1)
  order by "reported"."path";

-- listReportedFolders
select "workspace_id" as "workspaceId", "path"
  from "reported_folder"
  where "workspace_id" in ($1)
  order by "path";
