-- insertResults
insert into policy_result (id, evaluation_id, position, policy, rule, level, stops_auto_apply, status, message,
    addresses, addresses_inferred, remediation, approvers, trace, fingerprint)
  select id, $1, position, policy, rule, level, "stopsAutoApply", status, message, addresses, "addressesInferred",
      remediation, nullif(approvers, 'null'), nullif(trace, 'null'), fingerprint
  from jsonb_to_recordset($2::jsonb) as result (id text, position integer, policy text, rule text, level text,
      "stopsAutoApply" boolean, status text, message text, addresses text[], "addressesInferred" boolean, remediation
      text, approvers jsonb, trace jsonb, fingerprint bytea);

-- countCreationWarnings
select count(*) as "count"
  from "policy_result"
  inner join "policy_evaluation" as "evaluation" on "evaluation"."id" = "evaluation_id"
  where "evaluation"."run_id" = $1
  and "evaluation"."point" = $2
  and "evaluation"."shadow" = $3
  and "policy_result"."status" <> $4
  and "policy_result"."stops_auto_apply" = $5;

-- listDecidingResults
select "policy_result"."id", "policy_result"."evaluation_id", "policy_result"."policy", "policy_result"."rule",
    "policy_result"."level", "policy_result"."stops_auto_apply", "policy_result"."status", "policy_result"."message",
    "policy_result"."addresses", "policy_result"."addresses_inferred", "policy_result"."remediation",
    "policy_result"."approvers", "policy_result"."trace", "policy_result"."fingerprint",
    "policy_result"."exception_id", "evaluation"."point", "evaluation"."version_id", "version"."set_id",
    "policy_set"."name" as "set_name"
  from "policy_result"
  inner join "policy_evaluation" as "evaluation" on "evaluation"."id" = "evaluation_id"
  inner join "policy_set_version" as "version" on "version"."id" = "evaluation"."version_id"
  inner join "policy_set" on "policy_set"."id" = "version"."set_id"
  where "evaluation"."run_id" = $1
  and "evaluation"."plan_version" = $2
  and "evaluation"."point" in ($3)
  and "evaluation"."shadow" = $4
  and "evaluation"."status" <> $5
  order by "evaluation"."id", "policy_result"."position"
  limit $6;

-- hasMoreResults
select "policy_result"."id"
  from "policy_result"
  inner join "policy_evaluation" as "evaluation" on "evaluation"."id" = "evaluation_id"
  where "evaluation"."run_id" = $1
  and "evaluation"."plan_version" = $2
  and "evaluation"."point" in ($3)
  and "evaluation"."shadow" = $4
  and "evaluation"."status" <> $5
  limit $6
  offset $7;

-- removeResults
delete from policy_result
  where id in ( select r.id from policy_evaluation e join policy_result r on r.evaluation_id = e.id where e.run_id =
      any($1) and e.finished_at is not null limit $2 );
delete from policy_evaluation e
  where e.run_id = any($1)
  and e.finished_at is not null
  and not exists (select from policy_result r where r.evaluation_id = e.id);

-- setExceptions
update policy_result r
  set exception_id = c."exceptionId", status = c.status
  from jsonb_to_recordset($1::jsonb) as c (id text, "exceptionId" text, status text)
  where r.id = c.id;

-- findResults
select "policy_result"."id", "policy_result"."evaluation_id", "policy_result"."policy", "policy_result"."rule",
    "policy_result"."level", "policy_result"."stops_auto_apply", "policy_result"."status", "policy_result"."message",
    "policy_result"."addresses", "policy_result"."addresses_inferred", "policy_result"."remediation",
    "policy_result"."approvers", "policy_result"."trace", "policy_result"."fingerprint",
    "policy_result"."exception_id", "run"."organization_id", "run"."project_id", "run"."workspace_id"
  from "policy_result"
  inner join "policy_evaluation" on "policy_evaluation"."id" = "evaluation_id"
  inner join "run" on "run"."id" = "policy_evaluation"."run_id"
  inner join "workspace" on "workspace"."id" = "run"."workspace_id"
  where "policy_result"."id" in ($1)
  and "workspace"."deleted_at" is null;

-- listResults
select "id", "evaluation_id", "policy", "rule", "level", "stops_auto_apply", "status", "message", "addresses",
    "addresses_inferred", "remediation", "approvers", "trace", "fingerprint", "exception_id", "position"
  from "policy_result"
  where "evaluation_id" = $1
  order by "position" asc
  limit $2;

-- listResults: of statuses, backward
select "id", "evaluation_id", "policy", "rule", "level", "stops_auto_apply", "status", "message", "addresses",
    "addresses_inferred", "remediation", "approvers", "trace", "fingerprint", "exception_id", "position"
  from "policy_result"
  where "evaluation_id" = $1
  and "status" in ($2)
  and "position" > $3
  and "position" < $4
  order by "position" desc
  limit $5;
