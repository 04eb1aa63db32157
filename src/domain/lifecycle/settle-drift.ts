import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import { type Drift, type DriftChange, driftAfter } from "../../model/workspace/drift.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { hideRun, isChanging, readPlannedDrift, setDrift } from "../../persistence/plan/drift-store.ts";
import type { Deps } from "../kit/deps.ts";
import { enqueueDriftWebhooks } from "./enqueue-webhooks.ts";
import { recordWorkspaceChange } from "./record-workspace-change.ts";

/**
 * Updates the drift of a workspace when a run has ended: a check shows it, and a run that brings the whole configuration
 * about removes it. The workspace's row must be locked.
 */
export async function settleDrift(tx: Transaction, deps: Deps, workspace: Workspace, run: Run): Promise<void> {
  if (!isTerminal(run.status)) return;
  if (run.trigger === "DRIFT" && run.kind === "PLAN") return settleCheck(tx, deps, workspace, run);
  if (workspace.drift !== null && settlesAll(run)) await change(tx, deps, workspace, null, "GONE");
}

/** Whether a run brought the whole configuration about. */
function settlesAll({ kind, outcome, targets, refreshOnly }: Run): boolean {
  const isWhole = targets.length === 0 && !refreshOnly && kind !== "PLAN";
  return isWhole && (outcome === "APPLIED" || outcome === "DESTROYED" || outcome === "NO_CHANGES");
}

async function settleCheck(tx: Transaction, deps: Deps, workspace: Workspace, run: Run): Promise<void> {
  const { outcome, finishedAt, id: runId } = run;
  if (finishedAt === null || (outcome !== "PLANNED" && outcome !== "NO_CHANGES")) return;
  const plan = await findNewestPlan(tx, runId);
  // A change of the state that was made during the plan is no drift.
  const isCurrent = plan?.stateSerial === workspace.stateSerial && !(await isChanging(tx, workspace.id));
  const found = outcome === "NO_CHANGES" ? NONE : await readPlannedDrift(tx, runId);
  if (found.resources + found.outputs === 0) await hideRun(tx, runId);
  if (!isCurrent) return;
  const after = driftAfter(workspace.drift, { ...found, runId, at: finishedAt });
  if (after.change !== null || after.drift !== null) await change(tx, deps, workspace, after.drift, after.change);
}

const NONE = { resources: 0, outputs: 0, fingerprint: "" };

async function change(
  tx: Transaction,
  deps: Deps,
  workspace: Workspace,
  drift: Drift | null,
  what: DriftChange | null,
): Promise<void> {
  await setDrift(tx, workspace.id, drift);
  await recordWorkspaceChange(tx, deps, workspace, SYSTEM_ACTOR_ID, ["drift"]);
  if (drift !== null && what !== null) await enqueueDriftWebhooks(tx, deps, workspace, drift, what);
}
