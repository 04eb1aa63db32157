-- insertPolicyException
insert into "policy_exception" ("id", "organization_id", "set_id", "policy", "rule", "address_glob", "workspace_ids",
    "reason", "ticket", "state", "requested_by", "requester_counts_as", "requested_at", "expires_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- lockPolicyException
select "policy_exception".*
  from "policy_exception"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "policy_exception"."id" = $1
  and "policy_set"."deleted_at" is null
  for no key update of "policy_exception";

-- decidePolicyException
update "policy_exception"
  set "state" = $1, "decided_by" = $2, "decided_at" = $3, "decision_comment" = $4
  where "id" = $5;

-- findPolicyExceptions
select *
  from "policy_exception"
  where "id" in ($1);

-- listPolicyExceptions
select *
  from "policy_exception"
  where "set_id" = $1
  order by "id" desc
  limit $2;

-- listPolicyExceptions: backward, of those in time
select *
  from "policy_exception"
  where "set_id" = $1
  and "expires_at" > $2
  and "id" < $3
  and "id" > $4
  order by "id" asc
  limit $5;

-- countOpenExceptions
select count(*) as "count"
  from "policy_exception"
  where "set_id" = $1
  and "state" in ($2, $3)
  and "expires_at" > $4;

-- listExceptionsInForce
select *
  from "policy_exception"
  where "set_id" in ($1)
  and "state" = 'APPROVED'
  and "expires_at" > $2
  and $3 = any(workspace_ids)
  order by "id";

-- countExceptionsInForce
select count(*) as "count"
  from "policy_exception"
  where "id" in ($1)
  and "state" = $2
  and "expires_at" > $3;

-- announceExpiring
update "policy_exception"
  set "announced_at" = $1
  where "id" in (select "policy_exception"."id" from "policy_exception" inner join "policy_set" on "policy_set"."id" =
      "set_id" where "policy_exception"."state" = 'APPROVED' and "announced_at" is null and "expires_at" > $2 and
      "expires_at" <= $3 and "policy_set"."deleted_at" is null order by "expires_at" limit $4 for update of
      "policy_exception" skip locked)
  returning *;

-- revokePolicyException
update "policy_exception"
  set "state" = $1, "revoked_by" = $2, "revoked_at" = $3, "revocation_comment" = $4
  where "id" = $5;
