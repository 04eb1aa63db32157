-- insertSimulation
insert into "policy_simulation" ("id", "set_id", "version_id", "source", "state", "created_by", "created_at",
    "finished_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8);

-- insertSimulatedPlans
insert into policy_simulation_item (simulation_id, position, run_id, plan_id, plan_version, before)
  select $1, row_number() over (order by r.id desc), r.id, p.id, p.version, ( select e.status from policy_evaluation e
      join policy_set_version v on v.id = e.version_id where e.run_id = r.id and e.point = 'PLAN' and e.plan_version =
      p.version and v.set_id = $2 and not e.shadow and e.finished_at is not null order by e.id desc limit 1)
  from run r
  join plan p on p.run_id = r.id
  and p.version = r.plan_version
  where r.id in ((select "run"."id" from "run" where not run.hidden and not exists ( select from workspace gone where
      gone.id = "run"."workspace_id" and gone.deleted_at is not null) and (("run"."organization_id" = any($3::text[])
      and "run"."project_id" <> all($4::text[])) or "run"."project_id" = any($5::text[]) or "run"."workspace_id" =
      any($6::text[])) and "organization_id" = $7 and exists (select from workspace labelled where labelled.id =
      run.workspace_id and labelled.deleted_at is null and ("labelled"."labels" <> '{}' and
      label_terms("labelled"."labels") @> $8::text[])) and run.kind = any($9::text[]) and exists (select from plan p
      where p.run_id = run.id and p.version = run.plan_version and (p.has_changes or $10)) and exists (select from
      workspace w where w.id = run.workspace_id and policy_selects($11::jsonb, w.id, w.name, w.labels, run.kind))
      order by "run"."id" desc limit $12))
  returning position /* planned each time */;

-- countRunningSimulations
select "policy_simulation"."id", "set_id", "version_id", "state", "created_by", "policy_simulation"."created_at",
    "finished_at", "organization_id"
  from "policy_simulation"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "deleted_at" is null
  and "organization_id" = $1
  and "state" = $2;

-- findSimulations
select "policy_simulation"."id", "set_id", "version_id", "state", "created_by", "policy_simulation"."created_at",
    "finished_at", "organization_id"
  from "policy_simulation"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "deleted_at" is null
  and "policy_simulation"."id" in ($1);

-- lockSimulation
select "policy_simulation"."id", "set_id", "version_id", "state", "created_by", "policy_simulation"."created_at",
    "finished_at", "organization_id"
  from "policy_simulation"
  inner join "policy_set" on "policy_set"."id" = "set_id"
  where "deleted_at" is null
  and "policy_simulation"."id" = $1
  for no key update of "policy_simulation";

-- leaseSimulation
update policy_simulation
  set lease_id = $1, lease_until = $2
  where id = ( select id from policy_simulation where state = 'RUNNING' and (lease_until is null or lease_until <= $3
      or lease_id = $4) order by lease_until nulls first, id limit 1 for update skip locked)
  returning id, set_id, version_id, source;

-- listOpenPlans
select *
  from "policy_simulation_item"
  where "simulation_id" = $1
  and "done_at" is null
  order by "position"
  limit $2;

-- storeSimulated
select "id"
  from "policy_simulation"
  where "id" = $1
  and "state" = $2
  and "lease_id" = $3
  for no key update;
update policy_simulation_item i
  set after = d.after, findings = d.findings, error = d.error, done_at = $1
  from jsonb_to_recordset($2::jsonb) as d (position integer, after text, findings jsonb, error text)
  where i.simulation_id = $3
  and i.position = d.position
  and i.done_at is null;
select *
  from "policy_simulation_item"
  where "simulation_id" = $1
  and "done_at" is null
  order by "position"
  limit $2;
update "policy_simulation"
  set "state" = $1, "finished_at" = $2, "lease_id" = $3, "lease_until" = $4
  where "id" = $5
  and "state" = $6;

-- listSimulatedPlans
select *
  from "policy_simulation_item"
  where "simulation_id" = $1
  and exists (select from run where run.id = policy_simulation_item.run_id and true)
  order by "position" asc
  limit $2;

-- listSimulatedPlans: of a scope, backward
select *
  from "policy_simulation_item"
  where "simulation_id" = $1
  and exists (select from run where run.id = policy_simulation_item.run_id and (("run"."organization_id" =
      any($2::text[]) and "run"."project_id" <> all($3::text[])) or "run"."project_id" = any($4::text[]) or
      "run"."workspace_id" = any($5::text[])))
  and "position" > $6
  and "position" < $7
  order by "position" desc
  limit $8;

-- countSimulatedPlans
select simulation_id as id, before, after, count(*)::int as count
  from policy_simulation_item
  join run on run.id = run_id
  where simulation_id = any($1::text[])
  and (("run"."organization_id" = any($2::text[]) and "run"."project_id" <> all($3::text[])) or "run"."project_id" =
      any($4::text[]) or "run"."workspace_id" = any($5::text[]))
  group by simulation_id, before, after;

-- endSimulation
update "policy_simulation"
  set "state" = $1, "finished_at" = $2, "lease_id" = $3, "lease_until" = $4
  where "id" = $5
  and "state" = $6;

-- removeEndedSimulation
with due as ( select id from policy_simulation where id < $1 and finished_at < $2 order by id limit 1 for update skip
    locked ), items as ( delete from policy_simulation_item using due where simulation_id = due.id ) delete from
    policy_simulation
  using due
  where policy_simulation.id = due.id;
