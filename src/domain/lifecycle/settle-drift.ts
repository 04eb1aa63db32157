import { LIMITS } from "../../model/kit/limits.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import type { Plan } from "../../model/plan/plan.ts";
import type { Run } from "../../model/run/run.ts";
import { type Drift, type DriftChange, driftAfter } from "../../model/workspace/drift.ts";
import { isDriftCheck } from "../../model/workspace/drift-settings.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { insertDriftReport } from "../../persistence/plan/drift-report-store.ts";
import { hideRun, isChanging, setDrift } from "../../persistence/plan/drift-store.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { findSupersedingRuns } from "../../persistence/run/superseded-run-store.ts";
import type { Deps } from "../kit/deps.ts";
import { enqueueDriftWebhooks, enqueueEndWebhooks } from "./enqueue-webhooks.ts";
import { isKnownDrift } from "./known-drift.ts";
import { type ReadDrift, readDrift } from "./read-drift.ts";
import { recordWorkspaceChange } from "./record-workspace-change.ts";

/**
 * Updates the drift of a workspace when a run has ended: a check shows it, and a run that brings the whole configuration
 * about removes it. The workspace's row must be locked.
 */
export async function settleDrift(tx: Transaction, deps: Deps, workspace: Workspace, run: Run): Promise<void> {
  if (!isTerminal(run.status)) return;
  if (isDriftCheck(run)) return settleCheck(tx, deps, workspace, run);
  if (workspace.drift !== null && settlesAll(run)) await change(tx, deps, workspace, null, "GONE");
}

/** Whether a run brought the whole configuration about. */
function settlesAll({ kind, outcome, targets, refreshOnly }: Run): boolean {
  const isWhole = targets.length === 0 && !refreshOnly && kind !== "PLAN";
  return isWhole && (outcome === "APPLIED" || outcome === "DESTROYED" || outcome === "NO_CHANGES");
}

/**
 * Settles an ended check. One that found nothing, or was stopped for an apply, is in no list. No webhook reports its end, or
 * that of one whose drift is known.
 */
async function settleCheck(tx: Transaction, deps: Deps, workspace: Workspace, run: Run): Promise<void> {
  const plan = run.outcome === "PLANNED" || run.outcome === "NO_CHANGES" ? await findNewestPlan(tx, run.id) : null;
  if (plan === null) {
    // It was stopped for an apply.
    const [newer = null] = await findSupersedingRuns(tx, [run.id]);
    if (newer !== null) return hideRun(tx, run.id);
    if (run.failure !== null) await reportFailure(tx, deps, run);
    return enqueueEndWebhooks(tx, deps, run);
  }
  const found = await readDrift(tx, plan, workspace.driftSettings);
  const isKnown = await isKnownDrift(tx, workspace, found, deps.clock().toISOString());
  if (found.fingerprint === "") await hideRun(tx, run.id);
  else if (!isKnown) await enqueueEndWebhooks(tx, deps, run);
  if (await isCurrent(tx, workspace, plan)) await report(tx, deps, workspace, run, { ...found, isKnown });
}

/** Whether the state is the one that was planned: a change of it that was made during the plan is no drift. */
async function isCurrent(tx: Transaction, { id, stateSerial }: Workspace, plan: Plan): Promise<boolean> {
  return plan.stateSerial === stateSerial && !(await isChanging(tx, id));
}

async function reportFailure(tx: Transaction, deps: Deps, { id: runId, workspaceId }: Run): Promise<void> {
  const nothing = { resourceCount: 0, outputCount: 0, ignoredCount: 0, fingerprint: "", outputs: [], resources: [] };
  const createdAt = deps.clock().toISOString();
  const place = { id: deps.newId("driftReport"), runId, workspaceId, createdAt };
  await insertDriftReport(tx, { ...place, ...nothing, result: "ERRORED", reconcileDue: false });
}

async function report(
  tx: Transaction,
  deps: Deps,
  workspace: Workspace,
  run: Run,
  found: ReadDrift & { isKnown: boolean },
): Promise<void> {
  const { fingerprint, outputs, ignoredCount, resources, isKnown: isAcknowledged } = found;
  const at = deps.clock().toISOString();
  const counts = { resources: resources.length, outputs: outputs.length };
  const after = driftAfter(workspace.drift, { ...counts, fingerprint, runId: run.id, at, isAcknowledged });
  const isNews = after.change === "FOUND" || after.change === "CHANGED";
  await insertDriftReport(tx, {
    id: deps.newId("driftReport"),
    runId: run.id,
    workspaceId: workspace.id,
    result: after.drift === null ? "CLEAN" : "DRIFTED",
    resourceCount: counts.resources,
    outputCount: counts.outputs,
    ignoredCount,
    fingerprint,
    outputs,
    createdAt: at,
    resources: resources.slice(0, LIMITS.driftedResources),
    reconcileDue: isNews && workspace.driftSettings.reconcile !== "OFF",
  });
  if (after.change !== null || after.drift !== null) await change(tx, deps, workspace, after.drift, after.change);
}

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
