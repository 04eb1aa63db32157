/** The facts from which the deployment status of a workspace is derived, and the status itself, in SQL. */
import { type RawBuilder, sql } from "kysely";
import { FAILED_STATUSES, GATE_STATUSES, LIVE_STATUSES } from "../../model/lifecycle/run-status.ts";
import type { DeploymentStatus } from "../../model/workspace/workspace.ts";

// Literals, because Postgres matches no partial index with parameters.
const list = (words: readonly string[]) => sql.join(words.map((word) => sql.lit(word)));
const DEPLOYING_KINDS = list(["DEPLOY", "DESTROY", "APPLY"]);
const AT_WORK = list(LIVE_STATUSES.filter((status) => !GATE_STATUSES.includes(status)));

/** Selects the newest ended run of `workspace` that reached APPLYING, or failed before. Read by the index run_deployed. */
export const LAST_DEPLOYMENT = sql`select run.kind, run.status, run.outcome, run.applied_at from run
  where run.workspace_id = workspace.id and run.kind in (${DEPLOYING_KINDS}) and run.finished_at is not null
    and (run.applying_at is not null or run.status in (${list(FAILED_STATUSES)}))
  order by run.id desc limit 1`;

/** Whether a run deploys `workspace` now. */
export const IS_DEPLOYING = sql<boolean>`exists (select from run where run.workspace_id = workspace.id
  and run.finished_at is null and run.kind in (${DEPLOYING_KINDS}) and run.status in (${AT_WORK}))`;

/** Whether a run of `workspace` was ever applied. Read by the index run_applied. */
export const WAS_APPLIED = sql<boolean>`exists (select from run where run.workspace_id = workspace.id
  and run.applied_at is not null)`;

/** The deployment status of `workspace`, as `deploymentStatus` of the model derives it. */
const STATUS = sql<DeploymentStatus>`case when workspace.paused then 'PAUSED' when ${IS_DEPLOYING} then 'DEPLOYING' else (
    select case
      when last.status <> 'FINISHED' and not (last.status = 'STOPPED' and last.applied_at is not null) then 'FAILED'
      when health.health in ('UNREACHABLE', 'DEGRADED') then health.health
      when last.outcome = 'DESTROYED'
        or (last.outcome is null and last.kind = 'DESTROY' and last.applied_at is not null) then 'DESTROYED'
      when ${WAS_APPLIED} then 'RUNNING'
      else 'PENDING' end
    from (select) as one left join lateral (${LAST_DEPLOYMENT}) last on true
      left join workspace_health health on health.workspace_id = workspace.id) end`;

/**
 * Returns the condition that `workspace` has one of these statuses. It reads a few rows by their indexes for each
 * workspace, however many runs there are.
 */
export function hasDeploymentStatus(statuses: readonly DeploymentStatus[]): RawBuilder<boolean> {
  return sql<boolean>`${STATUS} = any(${statuses}::text[])`;
}
