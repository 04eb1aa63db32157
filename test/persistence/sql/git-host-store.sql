-- insertGitHost
insert into "git_host" ("id", "organization_id", "kind", "name", "url", "credential", "credential_sealed",
    "hook_path", "hook_secret_sealed", "created_by", "created_at")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- lockGitHost
select "id", "organization_id", "kind", "name", "url", "credential", "hook_path", "former_hook_secret_until",
    "former_hook_secret_used_at", "created_by", "created_at"
  from "git_host"
  where "deleted_at" is null
  and "id" = $1
  for no key update;

-- updateGitHostRow
update "git_host"
  set "name" = $1, "url" = $2
  where "id" = $3;

-- updateGitHostRow: another credential
update "git_host"
  set "name" = $1, "url" = $2, "credential" = $3, "credential_sealed" = $4
  where "id" = $5;

-- replaceHookSecret
select "hook_secret_sealed"
  from "git_host"
  where "id" = $1;
update "git_host"
  set "hook_secret_sealed" = $1, "former_hook_secret_sealed" = $2, "former_hook_secret_until" = $3,
      "former_hook_secret_used_at" = $4
  where "id" = $5;

-- replaceHookSecret: the former one ends now
select "hook_secret_sealed"
  from "git_host"
  where "id" = $1;
update "git_host"
  set "hook_secret_sealed" = $1, "former_hook_secret_sealed" = $2, "former_hook_secret_until" = $3,
      "former_hook_secret_used_at" = $4
  where "id" = $5;

-- findHostCredential
select "kind", "credential_sealed"
  from "git_host"
  where "id" = $1;

-- findHookDoor
select "id", "kind", "hook_secret_sealed", "former_hook_secret_sealed", "former_hook_secret_until"
  from "git_host"
  where "hook_path" = $1
  and "deleted_at" is null;

-- findGitHosts
select "id", "organization_id", "kind", "name", "url", "credential", "hook_path", "former_hook_secret_until",
    "former_hook_secret_used_at", "created_by", "created_at"
  from "git_host"
  where "deleted_at" is null
  and "id" in ($1);

-- listGitHostsOfOrganizations
select "id", "organization_id", "kind", "name", "url", "credential", "hook_path", "former_hook_secret_until",
    "former_hook_secret_used_at", "created_by", "created_at"
  from "git_host"
  where "deleted_at" is null
  and "organization_id" in ($1)
  order by "name";

-- countGitHosts
select count(*) as "count"
  from "git_host"
  where "organization_id" = $1
  and "deleted_at" is null;

-- markGitHostDeleted
update "git_host"
  set "deleted_at" = $1
  where "id" = $2;
