-- insertPolicyFixture
insert into "policy_fixture" ("id", "set_id", "name", "plan_id", "blob_id", "context", "created_by", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- findPolicyFixtures
select "policy_fixture".*, "organization_id"
  from "policy_fixture"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "deleted_at" is null
  and "policy_fixture"."id" in ($1);

-- listPolicyFixtures
select "policy_fixture".*, "organization_id"
  from "policy_fixture"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "deleted_at" is null
  and "set_id" in ($1)
  order by "policy_fixture"."id";

-- deletePolicyFixture
delete from "policy_fixture"
  where "id" = $1;
delete from "blob"
  where "id" = $1;
