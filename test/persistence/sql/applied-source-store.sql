-- findAppliedSources
select asked.id as "workspaceId", applied.id as "runId", applied.outcome, applied.revision,
    coalesce(applied.source_blob_id, planned.source_blob_id) as "blobId", case when applied.source_blob_id is null
    then coalesce(planned.work_folder, '.') else applied.work_folder end as "workFolder", case when
    applied.source_blob_id is null then planned.inputs_digest else applied.inputs_digest end as "inputsDigest", case
    when applied.source_blob_id is null then planned.commit_url else applied.commit_url end as "commitUrl",
    (applied.targets <> '{}' or coalesce(planned.targets, '{}') <> '{}' or coalesce(plan.targets, '{}') <> '{}') as
    "isTargeted", exists ( select from run live where live.workspace_id = asked.id and live.finished_at is null and
    live.kind <> 'PLAN' ) as "isBusy"
  from unnest($1::text[]) as asked (id)
  cross join lateral ( select run.id, version.serial from state_version version join run on run.id = version.run_id
      where version.workspace_id = asked.id and run.kind in ('DEPLOY', 'DESTROY', 'APPLY') and not run.refresh_only
      order by version.serial desc limit 1 ) written
  left join lateral ( select run.id from run join plan on plan.run_id = run.id and plan.version = run.plan_version
      where run.workspace_id = asked.id and run.kind = 'DEPLOY' and not run.refresh_only and run.outcome =
      'NO_CHANGES' and run.targets = '{}' and plan.targets = '{}' and plan.state_serial >= written.serial order by
      run.finished_at desc, run.number desc limit 1 ) unchanged on true
  join run applied on applied.id = coalesce(unchanged.id, written.id)
  left join run planned on planned.id = applied.plan_run_id
  left join plan on plan.run_id = coalesce(applied.plan_run_id, applied.id)
  and plan.version = applied.plan_version;
