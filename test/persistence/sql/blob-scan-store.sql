-- upsertBlobScans
insert into "blob_modules" ("mirror", "oid", "scanner", "scan", "scanned_at")
  values ($1, $2, $3, $4, $5), ($6, $7, $8, $9, $10)
  on conflict ("mirror", "oid") do update
  set "scanner" = "excluded"."scanner", "scan" = "excluded"."scan", "scanned_at" = "excluded"."scanned_at";

-- findBlobScans
select "oid", "scan"
  from "blob_modules"
  where "mirror" = $1
  and "scanner" = $2
  and "oid" in ($3, $4);

-- deleteBlobScans
delete from "blob_modules"
  where "scanned_at" < $1;
