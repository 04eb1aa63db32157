-- findDueSampling
select v.run_id, case when v.samples_lease_id = $1 then v.samples_due_at else greatest(v.samples_due_at,
    v.samples_lease_until) end as due
  from verification v
  join run r on r.id = v.run_id
  join workspace w on w.id = r.workspace_id
  where v.samples_due_at is not null
  and runner_takes($2, $3, $4, $5::text[], w.organization_id, w.runner_pool_id, w.runner_labels)
  order by due, v.id
  limit 1;

-- findRunOfVerification
select "run_id"
  from "verification"
  where "id" = $1;

-- offerSamples
update "verification"
  set "samples_due_at" = $1, "samples_lease_id" = $2, "samples_lease_until" = $3
  where "id" = $4;

-- leaseSamples
update "verification"
  set "probes" = $1, "samples_lease_id" = $2, "samples_lease_until" = $3, "samples_fence" = "samples_fence" + $4
  where "id" = $5
  returning "samples_fence";

-- recordSamples
update "verification"
  set "probes" = $1, "baseline_passed" = $2
  where "id" = $3;

-- noteProbesOffered
update "runner"
  set "probes_at" = $1
  where "id" = $2;

-- findSamplingRunners
select w.runner_pool_id is not null as names_pool, p.name, w.runner_labels as labels, exists ( select from runner r
    left join runner_pool own on own.id = r.pool_id where runner_takes(r.pool_id, own.organization_id, own.reserved,
    r.labels, w.organization_id, w.runner_pool_id, w.runner_labels) and r.probes_at >= $1 and r.revoked_at is null and
    own.deleted_at is null and r.drain_requested_at is null and not r.draining ) as is_offered
  from workspace w
  left join runner_pool p on p.id = w.runner_pool_id
  and p.deleted_at is null
  where w.id = $2;
