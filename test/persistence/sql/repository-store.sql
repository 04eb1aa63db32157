-- insertRepository
insert into "repository" ("id", "organization_id", "git_host_id", "name", "url", "created_by", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7);
insert into "repository_look" ("repository_id", "next_at")
  values ($1, $2);

-- lockRepository
select "id", "organization_id", "git_host_id", "name", "url", "remote_id", "default_branch", "created_by",
    "created_at"
  from "repository"
  where "deleted_at" is null
  and "id" = $1
  for no key update;

-- holdRepository
select "id", "organization_id", "git_host_id", "name", "url", "remote_id", "default_branch", "created_by",
    "created_at"
  from "repository"
  where "deleted_at" is null
  and "id" = $1
  for share;

-- updateRepositoryRow
update "repository"
  set "name" = $1, "url" = $2, "remote_id" = $3
  where "id" = $4;
update "workspace"
  set "source" = jsonb_set(source, '{url}', to_jsonb($1::text))
  where "repository_id" = $2;

-- setDefaultBranch
update "repository"
  set "default_branch" = $1
  where "id" = $2;

-- findRepositories
select "id", "organization_id", "git_host_id", "name", "url", "remote_id", "default_branch", "created_by",
    "created_at"
  from "repository"
  where "deleted_at" is null
  and "id" in ($1);

-- listRepositoriesOfOrganizations
select "id", "organization_id", "git_host_id", "name", "url", "remote_id", "default_branch", "created_by",
    "created_at"
  from "repository"
  where "deleted_at" is null
  and "organization_id" in ($1)
  order by "name", "id";

-- listRepositoriesOfHost
select "id", "organization_id", "git_host_id", "name", "url", "remote_id", "default_branch", "created_by",
    "created_at"
  from "repository"
  where "deleted_at" is null
  and "git_host_id" = $1
  order by "id";

-- countRepositories
select count(*) as "count"
  from "repository"
  where "organization_id" = $1
  and "deleted_at" is null;

-- listWorkspacesUsing
select "id", "organization_id", "project_id", "name"
  from "workspace"
  where "repository_id" = $1
  and "deleted_at" is null
  order by "name"
  limit $2;

-- markRepositoryDeleted
update "repository"
  set "deleted_at" = $1
  where "id" = $2;
delete from "git_ref"
  where "repository_id" = $1;
delete from "repository_look"
  where "repository_id" = $1;
