-- countWorkspaces
select count(*) as "count"
  from (select "id" from "workspace" where "organization_id" = $1 and "deleted_at" is null and strpos(lower(name),
      lower($2)) > 0 and (locked_at is not null and (lock_expires_at is null or lock_expires_at > $3)) = $4 and
      "paused" = $5 limit $6) as "some";

-- listWorkspaces: in a scope
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and (("organization_id" = any($2::text[]) and "project_id" <> all($3::text[])) or "project_id" = any($4::text[]) or
      "id" = any($5::text[]))
  order by "name" asc
  limit $6;

-- listWorkspaces
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  order by "name" asc
  limit $2;

-- listWorkspaces: backward, by a part of the name
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and strpos(name, $2) > 0
  and "name" > $3
  and "name" < $4
  order by "name" desc
  limit $5;

-- listWorkspaces: of deployment statuses
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and case when workspace.paused then 'PAUSED' when exists (select from run where run.workspace_id = workspace.id and
      run.finished_at is null and run.kind in ('DEPLOY', 'DESTROY', 'APPLY') and run.status in ('QUEUED', 'READY',
      'PREPARING', 'INITIALIZING', 'PLANNING', 'POLICY_CHECKING', 'REPLAN_REQUESTED', 'CONFIRMED', 'APPLYING',
      'VERIFYING', 'PERFORMING')) then 'DEPLOYING' else ( select case when last.status <> 'FINISHED' and not
      (last.status = 'STOPPED' and last.applied_at is not null) then 'FAILED' when health.health in ('UNREACHABLE',
      'DEGRADED') then health.health when last.outcome = 'DESTROYED' or (last.outcome is null and last.kind =
      'DESTROY' and last.applied_at is not null) then 'DESTROYED' when exists (select from run where run.workspace_id
      = workspace.id and run.applied_at is not null) then 'RUNNING' else 'PENDING' end from (select) as one left join
      lateral (select run.kind, run.status, run.outcome, run.applied_at from run where run.workspace_id = workspace.id
      and run.kind in ('DEPLOY', 'DESTROY', 'APPLY') and run.finished_at is not null and (run.applying_at is not null
      or run.status in ('FAILED', 'TIMED_OUT')) order by run.id desc limit 1) last on true left join workspace_health
      health on health.workspace_id = workspace.id) end = any($2::text[])
  order by "name" asc
  limit $3;

-- listWorkspaces: with labels
select *
  from "workspace"
  where "organization_id" = $1
  and "deleted_at" is null
  and ("workspace"."labels" <> '{}' and label_terms("workspace"."labels") @> $2::text[])
  order by "name" asc
  limit $3;
