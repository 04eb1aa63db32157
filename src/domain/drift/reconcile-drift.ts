import { findAcknowledgements } from "../../persistence/plan/drift-acknowledgement-store.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  listDueReconciliations,
  setReconciler,
  takeReconciliation,
} from "../../persistence/plan/drift-report-store.ts";
import { hasLiveRun } from "../../persistence/plan/drift-store.ts";
import { lockKeptWorkspace } from "../../persistence/workspace/workspace-store.ts";
import { openChangeset } from "../changeset/open-changeset.ts";
import type { Deps } from "../kit/deps.ts";
import { membersWithAppliedSource } from "../schedule/applied-source.ts";

/** Makes the runs that undo drift, where workspaces want one, each in a transaction of its own. */
export async function reconcileDrift(deps: Deps): Promise<void> {
  const due = await listDueReconciliations(deps.database, LIMITS.reconciliationsByRound);
  for (const { id, workspaceId } of due) {
    // One that fails must not keep the others.
    await deps.database
      .transaction((tx) => reconcile(tx, deps, id, workspaceId))
      .catch((error: unknown) => deps.reportError(error, `the drift of ${workspaceId}`));
  }
}

/**
 * Deploys what was applied last. Where the drift is gone meanwhile, or may not be undone any more, there is no run. A live
 * run that may change something is waited for: it may remove the drift.
 */
async function reconcile(tx: Transaction, deps: Deps, reportId: string, workspaceId: string): Promise<void> {
  const workspace = await lockKeptWorkspace(tx, workspaceId);
  if (workspace !== null && (await hasLiveRun(tx, workspaceId))) return;
  // Another server may have been first.
  if (!(await takeReconciliation(tx, reportId))) return;
  if (workspace === null || workspace.drift === null || workspace.driftSettings.reconcile === "OFF") return;
  // People may have acknowledged it meanwhile.
  const at = deps.clock().toISOString();
  const [known] = await findAcknowledgements(tx, [{ workspaceId, fingerprint: workspace.drift.fingerprint }], at);
  if (known !== undefined && known !== null) return;
  const cause = { type: "DRIFT", reportId } as const;
  const { members } = await membersWithAppliedSource(tx, [{ workspaceId, cause }], "RECONCILE");
  if (members.length === 0) return;
  const changeset = await openChangeset(tx, deps, {
    organizationId: workspace.organizationId,
    source: "SCHEDULE",
    title: `Drift in ${workspace.name}`,
    commit: null,
    kind: "DEPLOY",
    trigger: "DRIFT",
    members,
    createdBy: { actorId: SYSTEM_ACTOR_ID, credentialId: null },
  });
  await setReconciler(tx, reportId, changeset.id);
}
