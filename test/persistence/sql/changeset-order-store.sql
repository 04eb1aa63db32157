-- insertOrderings
insert into changeset_order (changeset_id, workspace_id, after_id, ignores_failure)
  select $1, *
  from unnest($2::text[], $3::text[], $4::boolean[]);

-- listOrdered
select distinct "workspace_id"
  from "changeset_order"
  where "changeset_id" = $1
  and workspace_id = any($2::text[]);

-- listReleasable
select m.workspace_id
  from changeset_member m
  join run on run.id = m.run_id
  where m.changeset_id = $1
  and run.awaits_upstream
  and run.status = 'QUEUED'
  and not exists ( select from changeset_order o join changeset_member b on b.changeset_id = o.changeset_id and
      b.workspace_id = o.after_id join workspace w on w.id = b.workspace_id left join run r on r.id = b.run_id where
      o.changeset_id = m.changeset_id and o.workspace_id = m.workspace_id and w.deleted_at is null and b.problem is
      null and r.finished_at is null)
  order by m.wave, m.workspace_id
  limit $2;

-- lockReleasable
select m.workspace_id, m.run_id, m.by_edge
  from changeset_member m
  where m.changeset_id = $1
  and m.workspace_id = any($2::text[])
  and m.run_id is not null
  and not exists ( select from changeset_order o join changeset_member b on b.changeset_id = o.changeset_id and
      b.workspace_id = o.after_id join workspace w on w.id = b.workspace_id left join run r on r.id = b.run_id where
      o.changeset_id = m.changeset_id and o.workspace_id = m.workspace_id and w.deleted_at is null and b.problem is
      null and r.finished_at is null)
  order by m.workspace_id
  for update of m skip locked;

-- listFailedBefore
select o.workspace_id as "workspaceId", o.after_id as "afterId"
  from changeset_order o
  join changeset_member m on m.changeset_id = o.changeset_id
  and m.workspace_id = o.after_id
  join workspace w on w.id = o.after_id
  left join run r on r.id = m.run_id
  where o.changeset_id = $1
  and o.workspace_id = any($2::text[])
  and w.deleted_at is null
  and not o.ignores_failure
  and (m.problem is not null or r.finished_at is not null and (r.status not in ('FINISHED', 'SKIPPED') or r.outcome =
      'APPLY_SKIPPED' or (r.status = 'SKIPPED' and r.finished_at = r.created_at and exists ( select from
      policy_evaluation e where e.run_id = r.id and e.point = 'RUN_CREATE' and not e.shadow and e.status in ('FAILED',
      'ERRORED')))))
  order by o.after_id;

-- listAppliedBefore
select d.upstream_id, r.id as run_id, d.trigger
  from workspace_dependency d
  join changeset_member m on m.changeset_id = $1
  and m.workspace_id = d.upstream_id
  join run r on r.id = m.run_id
  where d.downstream_id = $2
  and r.outcome = 'APPLIED'
  order by d.upstream_id;

-- reopenAfter
with recursive below as ( select workspace_id from changeset_order where changeset_id = $1 and after_id = $2 union
    select o.workspace_id from below join changeset_order o on o.changeset_id = $3 and o.after_id = below.workspace_id
    ) update changeset_member m
  set run_id = null
  from below, run r
  where m.changeset_id = $4
  and m.workspace_id = below.workspace_id
  and r.id = m.run_id
  and r.failure ->> 'code' = 'DEPENDENCY_FAILED';
