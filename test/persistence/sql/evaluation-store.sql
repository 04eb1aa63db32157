-- toEvaluation
-- sends nothing

-- insertEvaluations
insert into "policy_evaluation" ("id", "run_id", "point", "plan_version", "version_id", "shadow", "status",
    "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict ("run_id", "point", "plan_version", "version_id") do nothing;

-- insertJudgedEvaluations
insert into "policy_evaluation" ("id", "run_id", "point", "plan_version", "version_id", "shadow", "status", "passed",
    "dropped", "error", "cpu_ms", "created_at", "finished_at", "announced")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- leaseEvaluations
update policy_evaluation
  set status = 'RUNNING', lease_id = $1, lease_until = $2, attempt = attempt + 1
  where id in ( select id from policy_evaluation e where status in ('PENDING', 'RUNNING') and (lease_until is null or
      lease_until <= $3) and not exists (select from external_check_result c where c.run_id = e.run_id and
      c.plan_version = e.plan_version and c.estimates_cost and c.finished_at is null) order by shadow, id limit $4 for
      update skip locked )
  returning id, run_id, point, plan_version, version_id, shadow, created_at, attempt;

-- extendLeases
update "policy_evaluation"
  set "lease_until" = $1
  where "id" in ($2)
  and "lease_id" = $3
  and "status" = $4
  returning "id";

-- releaseEvaluations
update "policy_evaluation"
  set "status" = $1, "lease_id" = $2, "lease_until" = $3, "attempt" = attempt - 1
  where "lease_id" = $4
  and "status" = $5;

-- finishEvaluation
update "policy_evaluation"
  set "status" = $1, "passed" = $2, "dropped" = $3, "error" = $4, "cpu_ms" = $5, "finished_at" = $6, "lease_id" = $7,
      "lease_until" = $8
  where "id" = $9
  and "lease_id" = $10
  and "status" = $11
  returning "id";

-- cancelEvaluations
update "policy_evaluation"
  set "status" = $1, "finished_at" = $2, "lease_id" = $3, "lease_until" = $4
  where "run_id" = $5
  and "finished_at" is null
  and "shadow" = $6;

-- listDecidingEvaluations
select "policy_evaluation"."id", "policy_evaluation"."run_id", "policy_evaluation"."point",
    "policy_evaluation"."plan_version", "policy_evaluation"."version_id", "policy_evaluation"."shadow",
    "policy_evaluation"."status", "policy_evaluation"."passed", "policy_evaluation"."dropped",
    "policy_evaluation"."error", "policy_evaluation"."cpu_ms", "policy_evaluation"."created_at",
    "policy_evaluation"."finished_at", "announced", "policy_set_version"."set_id", "policy_set"."name"
  from "policy_evaluation"
  inner join "policy_set_version" on "policy_set_version"."id" = "version_id"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "run_id" = $1
  and "plan_version" = $2
  and "point" in ($3, $4)
  and "shadow" = $5
  and "policy_evaluation"."status" <> $6
  order by "policy_evaluation"."id";

-- markAnnounced
update "policy_evaluation"
  set "announced" = $1
  where "id" in ($2);

-- findEvaluations
select "policy_evaluation"."id", "policy_evaluation"."run_id", "policy_evaluation"."point",
    "policy_evaluation"."plan_version", "policy_evaluation"."version_id", "policy_evaluation"."shadow",
    "policy_evaluation"."status", "policy_evaluation"."passed", "policy_evaluation"."dropped",
    "policy_evaluation"."error", "policy_evaluation"."cpu_ms", "policy_evaluation"."created_at",
    "policy_evaluation"."finished_at", "run"."organization_id", "run"."project_id", "run"."workspace_id"
  from "policy_evaluation"
  inner join "run" on "run"."id" = "policy_evaluation"."run_id"
  inner join "workspace" on "workspace"."id" = "run"."workspace_id"
  where "policy_evaluation"."id" in ($1)
  and "workspace"."deleted_at" is null;

-- listEvaluationsOfRuns
select "id", "run_id", "point", "plan_version", "version_id", "shadow", "status", "passed", "dropped", "error",
    "cpu_ms", "created_at", "finished_at"
  from "policy_evaluation"
  where "run_id" in ($1)
  order by "id";

-- listRunsToConclude
select r.id
  from run r
  where (r.status = $1 or r.awaited_check is not null)
  and not exists (select from policy_evaluation e where e.run_id = r.id and e.plan_version = r.plan_version and
      e.finished_at is null and not e.shadow)
  and not exists (select from external_check_result c where c.run_id = r.id and c.plan_version in (0, r.plan_version)
      and c.finished_at is null)
  order by r.id
  limit $2;
