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

-- listDownstreams
select d.*
  from workspace_dependency d
  join workspace w on w.id = d.downstream_id
  where d.upstream_id = $1
  and d.trigger <> 'NEVER'
  and w.deleted_at is null
  order by d.downstream_id;

-- listStartedIds
with recursive below as ( select d.downstream_id as id from workspace_dependency d join workspace w on w.id =
    d.downstream_id where d.upstream_id = any($1::text[]) and w.deleted_at is null and (d.trigger = 'ALWAYS' or
    d.trigger = 'OUTPUTS_CHANGED' and d.outputs <> '[]') union select d.downstream_id from below join
    workspace_dependency d on d.upstream_id = below.id join workspace w on w.id = d.downstream_id where w.deleted_at
    is null and (d.trigger = 'ALWAYS' or d.trigger = 'OUTPUTS_CHANGED' and d.outputs <> '[]') )
  select id
  from below
  where id <> all($2::text[])
  order by id;

-- listIdsBetween
with recursive below as ( select d.downstream_id as id from workspace_dependency d join workspace w on w.id =
    d.downstream_id where d.upstream_id = any($1::text[]) and w.deleted_at is null and (d.trigger = 'ALWAYS' or
    d.trigger = 'OUTPUTS_CHANGED' and d.outputs <> '[]') union select d.downstream_id from below join
    workspace_dependency d on d.upstream_id = below.id join workspace w on w.id = d.downstream_id where w.deleted_at
    is null and (d.trigger = 'ALWAYS' or d.trigger = 'OUTPUTS_CHANGED' and d.outputs <> '[]') ), above as ( select
    d.upstream_id as id from workspace_dependency d where d.downstream_id = any($2::text[]) and (d.trigger = 'ALWAYS'
    or d.trigger = 'OUTPUTS_CHANGED' and d.outputs <> '[]') union select d.upstream_id from above join
    workspace_dependency d on d.downstream_id = above.id where (d.trigger = 'ALWAYS' or d.trigger = 'OUTPUTS_CHANGED'
    and d.outputs <> '[]') )
  select id
  from below
  where id in (select id from above)
  and id <> all($3::text[])
  order by id;
