import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { decide } from "../../model/lifecycle/run-machine.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import type { PromotionCause, PushCause } from "../../model/run/run-cause.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { listApprovals } from "../../persistence/approval/approval-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listOlderRuns, setSupersededBy } from "../../persistence/run/superseded-run-store.ts";
import type { Deps } from "../kit/deps.ts";
import { applyTransition } from "./apply-transition.ts";
import { lockRunIn, readWorkspaceContext } from "./locked-run.ts";
import { type LockedRun, machineInput } from "./machine-input.ts";
import { recordUpdate } from "./record-transition.ts";

/** The cause of a run that takes the place of those of older commits. */
export type SupersedingCause = PushCause | PromotionCause;

/**
 * Ends the older runs of the same ref, or of the same stage of a pipeline, in the transaction that creates the run of a newer
 * commit. A run that someone has approved continues. The workspace's row must be locked. Returns the ids of the changesets of
 * the runs that end.
 */
export async function supersedeOlder(
  tx: Transaction,
  deps: Deps,
  { workspace, run, cause }: { workspace: Workspace; run: Run; cause: SupersedingCause },
): Promise<string[]> {
  const { supersede } = workspace.trigger;
  if (supersede === "NOTHING") return [];
  const older = await listOlderRuns(tx, run, cause);
  if (older.length === 0) return [];
  const context = await readWorkspaceContext(tx, deps, workspace);
  const changesetIds = new Set<string>();
  for (const id of older) {
    const locked = await lockRunIn(tx, deps, context, id);
    if (!(await isUnwanted(tx, locked, supersede === "UNSTARTED"))) continue;
    const reason = `Run ${run.number} of a newer commit supersedes it.`;
    const isEnding = await endFor(tx, deps, locked, { newer: run, reason });
    if (isEnding && locked.run.changesetId !== null) changesetIds.add(locked.run.changesetId);
  }
  return [...changesetIds];
}

/**
 * Ends rollbacks of the system that have not begun, in the transaction that creates a deployment that a person orders: it is
 * newer than the failure that they undo. The workspace's row must be locked. Returns whether one ended.
 */
export async function supersedeRollbacks(
  tx: Transaction,
  deps: Deps,
  { workspace, run }: { workspace: Workspace; run: Run },
): Promise<boolean> {
  if (workspace.rollback.mode === "OFF") return false;
  const older = await listOlderRuns(tx, run, { type: "ROLLBACK" });
  if (older.length === 0) return false;
  const context = await readWorkspaceContext(tx, deps, workspace);
  let ended = false;
  for (const id of older) {
    const locked = await lockRunIn(tx, deps, context, id);
    if (!(await isUnwanted(tx, locked, true))) continue;
    const reason = `Run ${run.number} that a person ordered supersedes it.`;
    ended = (await endFor(tx, deps, locked, { newer: run, reason })) || ended;
  }
  return ended;
}

/** `onlyUnstarted`: only runs that wait for their turn or a runner. */
async function isUnwanted(tx: Transaction, { run }: LockedRun, onlyUnstarted: boolean): Promise<boolean> {
  const { queued, claimable } = STATUS_TRAITS[run.status];
  // An apply follows an approval; a replan an approval, or a person's request.
  if (run.leg !== "PLAN") return false;
  if (onlyUnstarted) return (queued || claimable) && run.startedAt === null;
  const [approvals = []] = await listApprovals(tx, [run.id]);
  return approvals.every(({ decision }) => decision !== "APPROVED");
}

/** Ends a run because of a newer one, at once or by its runner. Returns whether it ends. */
export async function endFor(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  { newer, reason }: { newer: Pick<Run, "id">; reason: string },
): Promise<boolean> {
  const actorId = SYSTEM_ACTOR_ID;
  const at = deps.clock();
  const decision = decide(machineInput(locked), { type: "cancel", force: false, atMs: at.getTime() });
  if (!decision.accepted) return false;
  // First: a run that has ended cannot change.
  await setSupersededBy(tx, locked.run.id, newer.id);
  if (decision.name !== "requestStop") {
    await applyTransition(tx, deps, locked, decision, { actorId, reason, set: {} });
    return true;
  }
  if (locked.run.cancelRequest !== null) return true;
  await recordUpdate(tx, deps, locked.run, {
    actorId,
    set: { cancelRequest: { actorId, at: at.toISOString() }, reason },
    events: [{ type: "CHANGED", fields: ["cancelRequested"] }],
  });
  return true;
}
