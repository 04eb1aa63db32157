-- listEvaluationsOfVersion
select "policy_evaluation"."id", "policy_evaluation"."run_id", "policy_evaluation"."point",
    "policy_evaluation"."plan_version", "policy_evaluation"."version_id", "policy_evaluation"."shadow",
    "policy_evaluation"."status", "policy_evaluation"."passed", "policy_evaluation"."dropped",
    "policy_evaluation"."error", "policy_evaluation"."cpu_ms", "policy_evaluation"."created_at",
    "policy_evaluation"."finished_at", "run"."organization_id", "run"."project_id", "run"."workspace_id"
  from "policy_evaluation"
  inner join "run" on "run"."id" = "policy_evaluation"."run_id"
  where "version_id" = $1
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  order by "policy_evaluation"."id" desc
  limit $2;

-- listEvaluationsOfVersion: of a scope, backward
select "policy_evaluation"."id", "policy_evaluation"."run_id", "policy_evaluation"."point",
    "policy_evaluation"."plan_version", "policy_evaluation"."version_id", "policy_evaluation"."shadow",
    "policy_evaluation"."status", "policy_evaluation"."passed", "policy_evaluation"."dropped",
    "policy_evaluation"."error", "policy_evaluation"."cpu_ms", "policy_evaluation"."created_at",
    "policy_evaluation"."finished_at", "run"."organization_id", "run"."project_id", "run"."workspace_id"
  from "policy_evaluation"
  inner join "run" on "run"."id" = "policy_evaluation"."run_id"
  where "version_id" = $1
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and (("run"."organization_id" = any($2::text[]) and "run"."project_id" <> all($3::text[])) or "run"."project_id" =
      any($4::text[]) or "run"."workspace_id" = any($5::text[]))
  and "policy_evaluation"."status" in ($6)
  and "policy_evaluation"."id" < $7
  and "policy_evaluation"."id" > $8
  order by "policy_evaluation"."id" asc
  limit $9;

-- countEvaluationsOfVersions
select e.version_id as id, count(*)::int as total, (count(*) filter (where e.status = $1))::int as passed, (count(*)
    filter (where e.status = $2))::int as warned, (count(*) filter (where e.status = $3))::int as failed, (count(*)
    filter (where e.status = $4))::int as errored
  from policy_evaluation e
  join run on run.id = e.run_id
  where e.version_id = any($5::text[])
  and not exists ( select from workspace gone where gone.id = "run"."workspace_id" and gone.deleted_at is not null)
  and (("run"."organization_id" = any($6::text[]) and "run"."project_id" <> all($7::text[])) or "run"."project_id" =
      any($8::text[]) or "run"."workspace_id" = any($9::text[]))
  group by e.version_id;
