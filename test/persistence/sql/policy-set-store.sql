-- insertPolicySet
insert into "policy_set" ("id", "organization_id", "language", "dialect", "created_at", "name", "description",
    "selector", "on_error", "judges_unchanged", "needs_whole_plan", "overriders", "enabled")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- updatePolicySetRow
update "policy_set"
  set "name" = $1, "description" = $2, "selector" = $3, "on_error" = $4, "judges_unchanged" = $5, "needs_whole_plan" =
      $6, "overriders" = $7, "enabled" = $8
  where "id" = $9;

-- lockPolicySet
select "policy_set".*
  from "policy_set"
  where "policy_set"."deleted_at" is null
  and "id" = $1
  for no key update;

-- findPolicySets
select "policy_set".*
  from "policy_set"
  where "policy_set"."deleted_at" is null
  and "id" in ($1);

-- listPolicySets
select "policy_set".*
  from "policy_set"
  where "policy_set"."deleted_at" is null
  and "organization_id" = $1
  order by "id" asc
  limit $2;

-- listPolicySets: backward
select "policy_set".*
  from "policy_set"
  where "policy_set"."deleted_at" is null
  and "organization_id" = $1
  and "id" > $2
  and "id" < $3
  order by "id" desc
  limit $4;

-- countPolicySets
select count(*) as "count"
  from "policy_set"
  where "organization_id" = $1
  and "deleted_at" is null;

-- listPolicySetsOf
select "policy_set".*, "workspace"."id" as "workspace_id"
  from "policy_set"
  inner join "workspace" on "workspace"."organization_id" = "policy_set"."organization_id"
  where "policy_set"."deleted_at" is null
  and "workspace"."id" in ($1)
  and "policy_set"."enabled" = true
  and policy_selects("policy_set"."selector", "workspace"."id", "workspace"."name", "workspace"."labels", null::text)
  order by "policy_set"."id";

-- listSelectedWorkspaces
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and policy_selects($2::jsonb, id, name, labels, null)
  order by "name" asc
  limit $3;

-- listSelectedWorkspaces: of a scope, backward
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and policy_selects($2::jsonb, id, name, labels, null)
  and (("organization_id" = any($3::text[]) and "project_id" <> all($4::text[])) or "project_id" = any($5::text[]) or
      "id" = any($6::text[]))
  and "name" > $7
  and "name" < $8
  order by "name" desc
  limit $9;

-- markPolicySetDeleted
update "policy_set"
  set "deleted_at" = $1
  where "id" = $2;

-- findOverriders
select "id", "overriders"
  from "policy_set"
  where "id" in ($1);

-- listSetsNamingTeam
select s.name, jsonb_exists(s.overriders -> 'teamIds', $1) as overrides, named.versions
  from policy_set s
  cross join lateral ( select array( select v.number from policy_set_version v where v.set_id = s.id and v.state in
      ('ACTIVE', 'SHADOW') and exists ( select from jsonb_array_elements(v.source -> 'rules') rule where
      jsonb_exists(rule -> 'approvers' -> 'teamIds', $2)) order by v.number) as versions) named
  where s.organization_id = $3
  and s.deleted_at is null
  and (jsonb_exists(s.overriders -> 'teamIds', $4) or named.versions <> '{}')
  order by s.name;

-- toPolicySet
-- sends nothing

-- selectsWorkspace
-- sends nothing
