-- claimStaleHeads
with due as ( select id from repository where deleted_at is null and (heads_until is null or heads_until <= $1) and
    exists (select from workspace w join git_ref r on r.repository_id = w.repository_id and r.oid is not null and
    r.ref = 'refs/heads/' || coalesce(w.trigger ->> 'branch', w.source ->> 'branch') left join workspace_head h on
    h.workspace_id = w.id where w.repository_id = repository.id and w.deleted_at is null and (h.commit is distinct
    from r.oid or h.basis <> workspace_basis(w))) order by id limit $2 for no key update skip locked ) update
    repository
  set heads_until = $3
  from due
  where repository.id = due.id
  returning repository.id;

-- releaseHeads
update "repository"
  set "heads_until" = $1
  where "id" = $2;

-- listStaleHeads
select w.id as "workspaceId", r.oid as
  commit, workspace_basis(w) as basis, h.digest
  from workspace w
  join git_ref r on r.repository_id = w.repository_id
  and r.oid is not null
  and r.ref = 'refs/heads/' || coalesce(w.trigger ->> 'branch', w.source ->> 'branch')
  left join workspace_head h on h.workspace_id = w.id
  where w.repository_id = $1
  and w.deleted_at is null
  and (h.commit is distinct from r.oid or h.basis <> workspace_basis(w))
  order by w.id;

-- upsertHeads
insert into workspace_head (workspace_id, commit, basis, digest, since)
  select id,
  commit, basis, digest, $1::timestamptz
  from unnest($2::text[], $3::text[], $4::text[], $5::text[]) head (id, commit, basis, digest)
  on conflict (workspace_id) do update
  set
  commit = excluded.commit, basis = excluded.basis, digest = excluded.digest, since = case when workspace_head.digest
      = excluded.digest then workspace_head.since else excluded.since end;

-- findSyncs
select asked.id, last.outcome, last.targeted as "isTargeted", last.digest, last.finished_at as "finishedAt",
    head.digest as "headDigest", head.since, ( select jsonb_build_object('digest', i.digest, 'commit',
    coalesce(last.revision, i.commit), 'folders', i.folders, 'paths', i.paths, 'unresolved', i.unresolved) from
    source_inputs i where i.workspace_id = asked.id and i.digest = last.digest) as "appliedInputs", ( select
    jsonb_build_object('digest', i.digest, 'commit', coalesce(head.commit, i.commit), 'folders', i.folders, 'paths',
    i.paths, 'unresolved', i.unresolved) from source_inputs i where i.workspace_id = asked.id and i.digest =
    head.digest) as "headInputs"
  from workspace asked
  left join lateral ( select run.outcome, run.finished_at, coalesce(run.revision, planned.revision) as revision,
      coalesce(run.inputs_digest, planned.inputs_digest) as digest, run.targets <> '{}' or coalesce(planned.targets,
      '{}') <> '{}' as targeted from run left join run planned on planned.id = run.plan_run_id where run.workspace_id
      = asked.id and run.finished_at is not null and run.kind in ('DEPLOY', 'DESTROY', 'APPLY') and not
      run.refresh_only and (run.applying_at is not null or run.outcome = 'NO_CHANGES' and run.targets = '{}') order by
      run.finished_at desc limit 1 ) last on true
  left join lateral ( select h.digest, h.commit, h.since from workspace w join git_ref r on r.repository_id =
      w.repository_id and r.oid is not null and r.ref = 'refs/heads/' || coalesce(w.trigger ->> 'branch', w.source ->>
      'branch') left join workspace_head h on h.workspace_id = w.id where w.id = asked.id and h.digest is not null and
      not (h.commit is distinct from r.oid or h.basis <> workspace_basis(w)) ) head on true
  where asked.id = any($1)
  and asked.deleted_at is null;
