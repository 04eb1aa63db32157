-- sizesOfArchives
select a.run_id, sum(b.size)::bigint as bytes
  from ( select run_id, archive_blob_id from plan where run_id = any($1) and archive_blob_id is not null union select
      run_id, archive_blob_id from job where run_id = any($2) and archive_blob_id is not null union select p.run_id,
      d.blob_id from plan_document d join plan p on p.id = d.plan_id where p.run_id = any($3) and d.blob_id is not
      null union select run_id, blob_id from job_document where run_id = any($4) ) a
  join blob b on b.id = a.archive_blob_id
  group by a.run_id;

-- holdArchive
select "archive_expired_at"
  from "plan"
  where "id" = $1
  for share;

-- removeArchives
select
  from plan
  where run_id = any($1)
  order by id
  for update;
select r.id
  from run r
  where r.id = any($1)
  and r.finished_at < $2
  and not exists ( select from run q where q.plan_run_id = r.id and (q.finished_at is null or q.finished_at >= $3) );
