-- insertSourceInputs
insert into "source_inputs" ("workspace_id", "digest", "commit", "folders", "paths", "unresolved", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7)
  on conflict do nothing;

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
insert into "reported_folder" ("workspace_id", "path", "run_id", "reported_at")
  values ($1, $2, $3, $4), ($5, $6, $7, $8)
  on conflict do nothing;

-- listReportedFolders
select "workspace_id" as "workspaceId", "path"
  from "reported_folder"
  where "workspace_id" in ($1)
  order by "path";
