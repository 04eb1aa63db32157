-- listReferencedOutputs
select d.upstream_id, d.outputs as references, v.id as state_id, v.outputs, v.secret_outputs_sealed as sealed
  from workspace_dependency d
  left join lateral ( select sv.id, sv.outputs, sv.secret_outputs_sealed from state_version sv left join run r on r.id
      = sv.run_id where sv.workspace_id = d.upstream_id and (sv.run_id is null or r.status = 'FINISHED') order by
      sv.serial desc limit 1 ) v on true
  where d.downstream_id = $1
  and d.outputs <> '[]'
  order by d.upstream_id;

-- insertRunUpstreams
-- sends nothing

-- listRunUpstreams
select "run"."id", "u"."category", "u"."key", "u"."output", "u"."state_version_id", "u"."value_hash", "u"."assumed",
    "sv"."run_id"
  from "run_upstream" as "u"
  inner join "run" on u.run_id = coalesce(run.plan_run_id, run.id)
  inner join "state_version" as "sv" on "sv"."id" = "u"."state_version_id"
  where "run"."id" in ($1)
  order by "u"."category", "u"."key";

-- findSettledRun
select "id", "outcome"
  from "run"
  where "workspace_id" = $1
  and "outcome" in ($2, $3, $4)
  and "kind" in ($5, $6, $7)
  and "targets" = '{}'
  and "refresh_only" = $8
  order by "id" desc
  limit $9;

-- hasSameSource
select a.work_folder = b.work_folder
  and a.inputs_digest is not distinct
  from b.inputs_digest
  and (a.inputs_digest is not null or a.source_blob_id is not distinct from b.source_blob_id) as same
  from run a, run b
  where a.id = $1
  and b.id = $2;

-- listLiveDeployments
select id, status = 'QUEUED'
  and (scheduled_at is null or scheduled_at <= $1) as "isQueued"
  from run
  where workspace_id = $2
  and finished_at is null
  and kind = 'DEPLOY'
  and targets = '{}'
  and not refresh_only
  order by id;
