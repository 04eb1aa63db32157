-- insertProject
insert into "project" ("id", "organization_id", "parent_id", "name", "path", "isolated", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7);

-- listIsolatedProjects
select distinct own.id
  from project line
  join project own on line.id = any(own.path)
  where line.organization_id = $1
  and line.isolated
  order by own.id;

-- updateProjectRow
update "project"
  set "name" = $1, "isolated" = $2
  where "id" = $3;

-- lockProject
select *
  from "project"
  where "deleted_at" is null
  and "id" = $1
  for no key update;

-- holdProject
select *
  from "project"
  where "deleted_at" is null
  and "id" = $1
  for share;

-- findProjects
select *
  from "project"
  where "deleted_at" is null
  and "id" in ($1, $2);

-- listProjects
select *
  from "project"
  where "deleted_at" is null
  and "organization_id" in ($1)
  order by "name", "id"
  limit $2;

-- findDeepestLevel
select max(cardinality(path)) as "level"
  from "project"
  where "organization_id" = $1
  and "deleted_at" is null
  and $2 = any(path);

-- moveProjectRow
update project
  set path = $1::text[] || path[$2:], parent_id = case when id = $3 then $4 else parent_id end
  where organization_id = $5
  and deleted_at is null
  and $6 = any(path);

-- countProjects
select count(*) as "count"
  from "project"
  where "organization_id" = $1
  and "deleted_at" is null;

-- listContent
(select id, name, organization_id, false as is_project from workspace where project_id = $1 and deleted_at is null
    limit 1)
  union all (select id, name, organization_id, true from project where parent_id = $2 and deleted_at is null limit 1);

-- moveWorkspaceRow
update "workspace"
  set "project_id" = $1
  where "id" = $2;
update "run"
  set "project_id" = $1
  where "workspace_id" = $2;

-- markProjectDeleted
update "project"
  set "deleted_at" = $1
  where "id" = $2;
