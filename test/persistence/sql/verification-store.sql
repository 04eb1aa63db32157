-- insertVerification
insert into "verification" ("id", "run_id", "status", "settings", "created_at", "due_at")
  values ($1, $2, $3, $4, $5, $6)
  on conflict ("run_id") do nothing;

-- lockVerification
select "id", "run_id", "status", "settings", "baseline_passed", "probes", "created_at", "started_at", "ends_at",
    "finished_at", "reason", "concluded_by", "comment", "fence", "due_at", "required_probes", "samples_due_at",
    "samples_lease_id", "samples_lease_until", "samples_fence"
  from "verification"
  where "run_id" = $1
  for update;

-- updateVerification
update "verification"
  set "status" = $1, "baseline_passed" = $2, "probes" = $3, "started_at" = $4, "ends_at" = $5, "finished_at" = $6,
      "reason" = $7, "concluded_by" = $8, "comment" = $9, "due_at" = $10, "rollback_to" = $11, "lease_id" = $12,
      "lease_until" = $13
  where "id" = $14;

-- hastenVerification
update "verification"
  set "due_at" = $1
  where "run_id" = $2
  and "status" = $3
  and "due_at" > $4;

-- leaseVerifications
update verification
  set lease_id = $1, lease_until = $2, fence = fence + 1
  where id in ( select id from verification where due_at <= $3 and (lease_until is null or lease_until <= $4) order by
      due_at limit $5 for update skip locked )
  returning id, run_id, fence, rollback_to;

-- releaseVerifications
update "verification"
  set "lease_id" = $1, "lease_until" = $2
  where "lease_id" = $3;

-- findNextVerification
select greatest("due_at", "lease_until") as "due"
  from "verification"
  where "due_at" is not null
  order by "due"
  limit $1;

-- findVerifications
select "verification"."id", "verification"."run_id", "verification"."status", "verification"."settings",
    "verification"."baseline_passed", "verification"."probes", "verification"."created_at",
    "verification"."started_at", "verification"."ends_at", "verification"."finished_at", "verification"."reason",
    "verification"."concluded_by", "verification"."comment", "run"."organization_id", "run"."project_id",
    "run"."workspace_id"
  from "verification"
  inner join "run" on "run"."id" = "verification"."run_id"
  inner join "workspace" on "workspace"."id" = "run"."workspace_id"
  where "verification"."id" in ($1)
  and "workspace"."deleted_at" is null;

-- findVerificationsOfRuns
select "id", "run_id", "status", "settings", "baseline_passed", "probes", "created_at", "started_at", "ends_at",
    "finished_at", "reason", "concluded_by", "comment"
  from "verification"
  where "run_id" in ($1);

-- setRequiredProbes
update "verification"
  set "required_probes" = $1
  where "id" = $2;

-- setRollbackDone
update "verification"
  set "rollback_to" = $1, "due_at" = $2, "lease_id" = $3, "lease_until" = $4
  where "id" = $5;

-- deleteVerification
delete from "verification"
  where "run_id" = $1;
