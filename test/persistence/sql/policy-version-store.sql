-- insertPolicyVersion
insert into "policy_set_version" ("id", "set_id", "number", "state", "digest", "message", "source", "module_blob_id",
    "policies", "tests", "test_report", "created_by", "created_at")
  values ($1, $2, (select coalesce(max(number), 0) + 1 from policy_set_version where set_id = $3), $4, $5, $6, $7, $8,
      $9, $10, $11, $12, $13)
  returning "number";

-- setPolicyVersionState
update "policy_set_version"
  set "state" = $1
  where "id" = $2;

-- setPolicyVersionState: active
update "policy_set_version"
  set "state" = $1
  where "set_id" = $2
  and "state" = $3
  and "id" <> $4;
update "policy_set_version"
  set "state" = $1, "activated_at" = $2, "activated_by" = $3
  where "id" = $4;

-- lockPolicyVersion
select "policy_set_version"."id", "set_id", "number", "state", "digest", "message", "policies", "test_report",
    "created_by", "policy_set_version"."created_at", "activated_at", "activated_by", "organization_id"
  from "policy_set_version"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "deleted_at" is null
  and "policy_set_version"."id" = $1
  for no key update of "policy_set";

-- findPolicyVersions
select "policy_set_version"."id", "set_id", "number", "state", "digest", "message", "policies", "test_report",
    "created_by", "policy_set_version"."created_at", "activated_at", "activated_by", "organization_id"
  from "policy_set_version"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "deleted_at" is null
  and "policy_set_version"."id" in ($1);

-- listPolicyVersions
select "policy_set_version"."id", "set_id", "number", "state", "digest", "message", "policies", "test_report",
    "created_by", "policy_set_version"."created_at", "activated_at", "activated_by", "organization_id"
  from "policy_set_version"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "deleted_at" is null
  and "set_id" = $1
  order by "number" desc
  limit $2;

-- listPolicyVersions: backward
select "policy_set_version"."id", "set_id", "number", "state", "digest", "message", "policies", "test_report",
    "created_by", "policy_set_version"."created_at", "activated_at", "activated_by", "organization_id"
  from "policy_set_version"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "deleted_at" is null
  and "set_id" = $1
  and "number" < $2
  and "number" > $3
  order by "number" asc
  limit $4;

-- countPolicyVersions
select count(*) as "count"
  from "policy_set_version"
  where "set_id" = $1;

-- listCurrentVersions
select "policy_set_version"."id", "set_id", "number", "state", "digest", "message", "policies", "test_report",
    "created_by", "policy_set_version"."created_at", "activated_at", "activated_by", "organization_id"
  from "policy_set_version"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "deleted_at" is null
  and "set_id" in ($1)
  and "state" in ($2, $3);

-- listVersionsInForce
select "policy_set".*, "version"."id" as "version_id", "version"."state", "version"."policies", "version"."digest"
  from "workspace"
  inner join "policy_set" on "policy_set"."organization_id" = "workspace"."organization_id"
  inner join "policy_set_version" as "version" on "version"."set_id" = "policy_set"."id"
  where "workspace"."id" = $1
  and "policy_set"."deleted_at" is null
  and "policy_set"."enabled" = true
  and "version"."state" in ('ACTIVE', 'SHADOW')
  and policy_selects("policy_set"."selector", "workspace"."id", "workspace"."name", "workspace"."labels", $2::text)
  order by "policy_set"."id", "version"."state";

-- findVersionContents
select "policy_set_version"."id", "source", "tests"
  from "policy_set_version"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "policy_set_version"."id" in ($1)
  and "deleted_at" is null;

-- listDemandedTeams
select rule ->> 'name' as rule, team as "teamId"
  from policy_set_version, jsonb_array_elements(source -> 'rules') rule, jsonb_array_elements_text(case when
      jsonb_typeof(rule -> 'approvers') = 'object' then rule -> 'approvers' -> 'teamIds' end) team
  where id = $1
  order by 1, 2;

-- listPolicyNames
select distinct policy ->> 'name' as name
  from policy_set_version, jsonb_array_elements(policies) policy
  where set_id = $1
  order by name;

-- findPolicySources
select "id", "source", "module_blob_id"
  from "policy_set_version"
  where "id" in ($1);
