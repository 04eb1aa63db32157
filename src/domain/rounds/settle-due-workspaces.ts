import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { obstacleKindsOf } from "../../model/admission/eligibility.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { listStaleDispatch } from "../../persistence/dispatch/stale-dispatch-store.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { workspaceContextAt } from "../lifecycle/machine-input.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";
import { admissionConditions } from "../lifecycle/admission-conditions.ts";

/**
 * Settles the workspaces where the clock alone changed what may start: a scheduled time has come, a freeze window has
 * opened or closed. Also catches changes that were missed. Returns their number.
 */
export async function settleDueWorkspaces(deps: Deps): Promise<number> {
  const now = deps.clock();
  const runs = await listStaleDispatch(deps.database, now.toISOString(), LIMITS.waitingRunsByRound);
  const byWorkspace = Map.groupBy(runs, ({ workspaceId }) => workspaceId);
  const ids = [...byWorkspace.keys()];
  if (ids.length === 0) return 0;
  const workspaces = (await findWorkspaces(deps.database, ids)).filter((workspace) => workspace !== null);
  const organizationIds = [...new Set(workspaces.map(({ organizationId }) => organizationId))];
  const found = await findOrganizations(deps.database, organizationIds);
  const organizations = new Map(organizationIds.map((id, index) => [id, found[index] ?? null]));
  const wrong = workspaces.filter((workspace) => {
    const organization = organizations.get(workspace.organizationId) ?? null;
    if (organization === null) return false;
    const conditions = admissionConditions(workspaceContextAt(now, workspace, organization), now);
    const waiting = byWorkspace.get(workspace.id) ?? [];
    return waiting.some(
      (run) => STATUS_TRAITS[run.status].queued || run.dispatched === obstacleKindsOf(run, conditions).length > 0,
    );
  });
  for (const { id } of wrong.slice(0, LIMITS.workspacesSettledByRound)) {
    await deps.database
      .transaction((tx) => settleWorkspace(tx, deps, id))
      .catch((error: unknown) => deps.reportError(error, `settling the workspace ${id}`));
  }
  return wrong.length;
}
