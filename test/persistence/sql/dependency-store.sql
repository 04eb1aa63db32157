-- lockDependencies
lock table workspace_dependency in share row exclusive mode;

-- setUpstreams
delete from "workspace_dependency"
  where "downstream_id" = $1;
insert into workspace_dependency (downstream_id, upstream_id, trigger, outputs)
  select $1, *
  from unnest($2::text[], $3::text[], $4::jsonb[]);
update "workspace"
  set "takes_outputs" = $1
  where "id" = $2;

-- listUpstreams
select d.*
  from workspace_dependency d
  join workspace u on u.id = d.upstream_id
  where d.downstream_id = $1
  and u.deleted_at is null
  order by d.upstream_id;

-- listDependenciesAbove
with recursive above as ( select upstream_id, downstream_id from workspace_dependency where downstream_id = $1 union
    select d.upstream_id, d.downstream_id from above join workspace_dependency d on d.downstream_id =
    above.upstream_id )
  select *
  from above;

-- listDependentIds
with recursive below as ( select d.downstream_id as id from workspace_dependency d join workspace w on w.id =
    d.downstream_id where d.upstream_id = any($1::text[]) and w.deleted_at is null union select d.downstream_id from
    below join workspace_dependency d on d.upstream_id = below.id join workspace w on w.id = d.downstream_id where
    w.deleted_at is null )
  select id
  from below
  where id <> all($2::text[])
  order by id;

-- listDependenciesAmong
select *
  from "workspace_dependency"
  where downstream_id = any($1::text[])
  and upstream_id = any($2::text[]);

-- listDependenciesOf
select d.*
  from workspace_dependency d
  join workspace u on u.id = d.upstream_id
  join workspace w on w.id = d.downstream_id
  where (d.upstream_id = any($1::text[]) or d.downstream_id = any($2::text[]))
  and u.deleted_at is null
  and w.deleted_at is null
  order by u.name, w.name;

-- insertOrderings
insert into changeset_order (changeset_id, workspace_id, after_id)
  select $1, *
  from unnest($2::text[], $3::text[]);

-- listFailedBefore
select o.workspace_id as "workspaceId", o.after_id as "afterId", w.name as "afterName", r.id as "runId", r.number
  from changeset_order o
  join changeset_member m on m.changeset_id = o.changeset_id
  and m.workspace_id = o.after_id
  join workspace w on w.id = o.after_id
  left join run r on r.id = m.run_id
  where o.changeset_id = $1
  and o.workspace_id = any($2::text[])
  and w.deleted_at is null
  and (m.problem is not null or r.finished_at is not null and (r.status not in ('FINISHED', 'SKIPPED') or r.outcome =
      'APPLY_SKIPPED'))
  order by w.name;

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
