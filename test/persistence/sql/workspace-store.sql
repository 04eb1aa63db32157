-- toWorkspace
-- sends nothing

-- insertWorkspace
insert into "workspace" ("id", "organization_id", "project_id", "name", "description", "source", "plan_approval",
    "auto_apply", "created_at", "lock_scope", "interrupt_apply", "tasks_allowed", "runner_pool_id", "runner_labels",
    "labels", "hooks", "trigger", "drift_settings", "verification", "rollback", "limits", "approval_rules",
    "freeze_windows")
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
  returning *;

-- listWorkspacesOfRepository
select *
  from "workspace"
  where "repository_id" = $1
  and "deleted_at" is null
  order by "id";

-- findWorkspaces
select *
  from "workspace"
  where "id" in (select unnest((select $1::text[])))
  and "deleted_at" is null;

-- findWorkspacesEver
select *
  from "workspace"
  where "id" in ($1);

-- findWorkspace
select *
  from "workspace"
  where "id" in (select unnest((select $1::text[])))
  and "deleted_at" is null;

-- findWorkspaceByPath
select *
  from "workspace"
  where "organization_id" = (select "organization"."id" from "organization" where "slug" = $1)
  and "name" = $2
  and "deleted_at" is null;

-- lockWorkspaceRow
select *
  from "workspace"
  where "id" = $1
  for no key update;

-- lockWorkspaceOfRun
select *
  from "workspace"
  where "id" = (select "workspace_id" from "run" where "run"."id" = $1)
  and "deleted_at" is null
  for no key update;

-- tryLockWorkspaceRow
select *
  from "workspace"
  where "id" = $1
  and "deleted_at" is null
  for no key update skip locked;

-- lockKeptWorkspace
select *
  from "workspace"
  where "id" = $1
  and "deleted_at" is null
  for no key update;

-- updateWorkspaceSettings
update "workspace"
  set "name" = $1, "description" = $2, "source" = $3, "paused" = $4, "plan_approval" = $5, "auto_apply" = $6,
      "lock_scope" = $7, "interrupt_apply" = $8, "tasks_allowed" = $9, "runner_pool_id" = $10, "runner_labels" = $11,
      "labels" = $12, "hooks" = $13, "trigger" = $14, "drift_settings" = $15, "verification" = $16, "rollback" = $17,
      "tests" = $18, "deploy_shape" = $19, "has_start_command" = $20, "limits" = $21, "approval_rules" = $22,
      "freeze_windows" = $23
  where "id" = $24;

-- setWorkspaceState
update "workspace"
  set "state_serial" = $1, "state_lineage" = $2
  where "id" = $3;

-- deleteWorkspaceRow
update "workspace"
  set "deleted_at" = $1, "expiry_due_at" = $2
  where "id" = $3;
