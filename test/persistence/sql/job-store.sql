-- getJobInput
select "variables_sealed", "hooks", "work_folder", "digest", "last_line", "bytes", exists (select from "access_grant"
    where "access_grant"."principal_id" = "run"."workspace_id" and "access_grant"."revoked_at" is null) as
    "has_grants"
  from "run"
  left join "blob" on "blob"."id" = "run"."source_blob_id"
  left join "log_head" on "log_head"."run_id" = "run"."id"
  where "run"."id" = $1;

-- insertJob
insert into "job" ("id", "claim_id", "run_id", "organization_id", "workspace_id", "leg", "attempt", "runner_id",
    "claimed_at", "expires_at", "lease_ms")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- findJob
select *
  from "job"
  where "id" = $1;

-- findJobOfToken
select "job"."id", "job"."run_id", "job"."leg", "run"."kind"
  from "job"
  inner join "run" on "run"."id" = "job"."run_id"
  where "job"."id" = $1;

-- findJobByClaim
select *
  from "job"
  where "claim_id" = $1;

-- findJobByLockedClaim
select pg_advisory_xact_lock(hashtextextended($1, 0));
select *
  from "job"
  where "claim_id" = $1;

-- findNewestJob
select *
  from "job"
  where "run_id" = $1
  order by "number" desc
  limit $2;

-- findLiveJob
select *
  from "job"
  where "run_id" = $1
  and "ended_at" is null;

-- lockLiveJob
select *
  from "job"
  where "id" = $1
  and "ended_at" is null
  for no key update;

-- holdLiveJob
select *
  from "job"
  where "id" = $1
  and "ended_at" is null
  for share;

-- setJobArchive
update "job"
  set "archive_blob_id" = $1
  where "id" = $2;

-- renewLease
update "job"
  set "expires_at" = $1::timestamptz + lease_ms * interval '1 millisecond'
  where "id" = $2
  and "ended_at" is null;

-- recordMessage
update "job"
  set "message_sequence" = $1, "message_digest" = $2
  where "id" = $3
  and "ended_at" is null
  and "message_sequence" = $4
  returning *;

-- listExpiredJobs
select *
  from "job"
  where "ended_at" is null
  and "expires_at" < $1
  and lease_ms <= $2::bigint
  order by "expires_at"
  limit $3;

-- endLiveJob
update "job"
  set "ended_at" = $1
  where "run_id" = $2
  and "ended_at" is null
  returning *;
-- before the commit:
select dispatch_offer($1) as given;
