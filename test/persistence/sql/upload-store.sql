-- insertUpload
insert into "upload" ("id", "blob_id", "digest", "size", "created_by", "created_at")
  values ($1, $2, $3, $4, $5, $6);

-- findUpload
select *
  from "upload"
  where "id" = $1;

-- claimUploadedBlob
select "id"
  from "blob"
  where "kind" = $1
  and "workspace_id" is null
  and "digest" = $2
  order by "id"
  limit $3
  for key share;

-- deleteUnusedUploads
delete from "upload"
  where "created_at" < $1
  and not exists (select "workspace"."id" from "workspace" where "workspace"."deleted_at" is null and workspace.source
      ->> 'uploadId' = upload.id);
delete from "blob"
  where "kind" = $1
  and "workspace_id" is null
  and not exists (select "upload"."id" from "upload" where "upload"."blob_id" = "blob"."id")
  and not exists (select "run"."id" from "run" where "run"."source_blob_id" = "blob"."id");
