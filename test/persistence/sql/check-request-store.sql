-- insertTest
delete from "check_request"
  where "ends_at" <= $1;
insert into "check_request" ("id", "pool_id", "content_sealed", "offered_at", "ends_at")
  values ($1, $2, $3, $4, $5);

-- findOfferedRequest
select "id", "pool_id", "result_id", "round", "offered_at", "ends_at", "fence", "lease_until"
  from "check_request"
  where "pool_id" = $1
  and "answered_at" is null
  and ("lease_until" is null or "lease_until" <= $2)
  and ("ends_at" is null or "ends_at" > $3)
  order by "offered_at", "id"
  limit $4;

-- lockRequest
select "id", "pool_id", "result_id", "round", "offered_at", "ends_at", "fence", "lease_until"
  from "check_request"
  where "id" = $1
  and "answered_at" is null
  for update;

-- leaseRequest
update "check_request"
  set "lease_id" = $1, "lease_until" = $2, "fence" = "fence" + $3
  where "id" = $4
  returning "fence";

-- findRequestByLease
select "id", "pool_id", "result_id", "round", "offered_at", "ends_at", "fence", "lease_until"
  from "check_request"
  where "pool_id" = $1
  and "lease_id" = $2
  and "lease_until" > $3;

-- findRequest
select "id", "pool_id", "result_id", "round", "offered_at", "ends_at", "fence", "lease_until"
  from "check_request"
  where "id" = $1;

-- readTest
select "content_sealed"
  from "check_request"
  where "id" = $1;

-- answerTest
update "check_request"
  set "status_code" = $1, "error" = $2, "answered_at" = $3
  where "id" = $4;

-- findTestAnswer
select "status_code", "error"
  from "check_request"
  where "id" = $1
  and "answered_at" is not null;

-- releaseRequest
update "check_request"
  set "lease_id" = $1, "lease_until" = $2, "fence" = "fence" + $3
  where "id" = $4;

-- deleteRequest
delete from "check_request"
  where "id" = $1;

-- insertRequest
insert into "check_request" ("id", "pool_id", "result_id", "round", "offered_at")
  values ($1, $2, $3, $4, $5);

-- lockRequestOf
select "id", "pool_id", "result_id", "round", "offered_at", "ends_at", "fence", "lease_until"
  from "check_request"
  where "result_id" = $1
  for update;

-- deleteRequestsOfCheck
delete from "check_request"
  where "result_id" in (select "id" from "external_check_result" where "check_id" = $1 and "status" = $2);

-- deleteRequestOf
delete from "check_request"
  where "result_id" = $1;

-- noteChecksOffered
update "runner"
  set "checks_at" = $1
  where "id" = $2;

-- findRequestPool
select p.name, exists ( select from runner r where r.pool_id = p.id and r.checks_at >= $1 and r.revoked_at is null and
    r.drain_requested_at is null and not r.draining ) as is_offered
  from runner_pool p
  where p.id = $2
  and p.deleted_at is null;
