-- digestOf
-- sends nothing

-- pieceCount
-- sends nothing

-- sealPiece
-- sends nothing

-- openPiece
-- sends nothing

-- insertBlobRow
insert into "blob" ("id", "kind", "workspace_id", "digest", "size", "created_at", "store")
  values ($1, $2, $3, $4, $5, $6, $7);

-- insertBlob
insert into "blob" ("id", "kind", "workspace_id", "digest", "size", "created_at", "store")
  values ($1, $2, $3, $4, $5, $6, $7);
insert into "blob_piece" ("blob_id", "position", "body")
  values ($1, $2, $3);

-- findSourceBlob
select "id"
  from "blob"
  where "workspace_id" = $1
  and "kind" = $2
  and "digest" = $3;

-- findBlob
select "store", "size", "digest"
  from "blob"
  where "id" = $1;

-- readPieces
select "body"
  from "blob_piece"
  where "blob_id" = $1
  and "position" = $2;

-- deleteBlob
delete from "blob"
  where "id" = $1;

-- blobDigest
select "store", "size", "digest"
  from "blob"
  where "id" = $1;

-- countBlobsElsewhere
select count(*) as "count", coalesce(sum("size"), 0) as "bytes"
  from "blob"
  where "store" <> $1;
