/** Continues runs at gates that need no further approval because the approval rules were relaxed. */
import { GATES } from "../../model/approval/approval.ts";
import { APPROVE, STATUS_AT } from "../../model/run/gates-ahead.ts";
import { isPassed } from "../../model/approval/quorum.ts";
import type { Run } from "../../model/run/run.ts";
import { decide } from "../../model/lifecycle/run-machine.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listRunsAtGate, lockRun } from "../../persistence/run/run-store.ts";
import { lockWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { requestedApplyAt } from "./quorum-input.ts";
import { readQuorumInput } from "./read-approvals.ts";
import { readWorkspaceContext, readLockedRun } from "./locked-run.ts";
import { machineInput, type LockedRun } from "./machine-input.ts";
import { applyTransition } from "./apply-transition.ts";

const REASON = "The approval rules were changed, and the given approvals satisfy them.";

/**
 * Passes the gates of a workspace's runs. Its row must be locked and have the new rules. `actorId`: who changed them.
 */
export async function settleGates(tx: Transaction, deps: Deps, workspaceId: string, actorId: string): Promise<void> {
  for (const id of await listRunsAtGate(tx, workspaceId)) {
    const context = await readWorkspaceContext(tx, deps, await lockWorkspaceRow(tx, workspaceId));
    await passGate(tx, deps, await readLockedRun(tx, context, await lockRun(tx, id)), actorId);
  }
}

/**
 * Continues a run at a gate that needs no further approval, and returns the run. A run whose plan is stale is left
 * unchanged.
 */
export async function passGate(tx: Transaction, deps: Deps, locked: LockedRun, actorId: string): Promise<Run> {
  const gate = GATES.find((each) => STATUS_AT[each] === locked.run.status);
  if (gate === undefined) return locked.run;
  const quorum = await readQuorumInput(tx, locked, gate);
  if (!isPassed(quorum)) return locked.run;
  const planVersion = locked.plan?.version ?? 0;
  const decision = decide(machineInput(locked), { type: APPROVE[gate], planVersion, quorumReached: true });
  if (!decision.accepted) return locked.run;
  const set = gate === "APPLY" ? { applyAt: requestedApplyAt(quorum) } : {};
  return applyTransition(tx, deps, locked, decision, { actorId, reason: REASON, set });
}
