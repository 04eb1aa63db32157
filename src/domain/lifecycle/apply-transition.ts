import type { Run } from "../../model/run/run.ts";
import { type AcceptedTransition, decide, type RunCommand } from "../../model/lifecycle/run-machine.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { machineInput, type LockedRun } from "./locked-run.ts";
import { type ChangeDetails, recordTransition } from "./record-transition.ts";
import { settleWorkspace } from "./settle-workspace.ts";

/**
 * Applies an accepted transition: persists it, then admits the runs that were waiting for it. Every change of the status
 * of an existing run goes through here, but for those that `settleWorkspace` makes while it admits.
 */
export async function applyTransition(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  accepted: AcceptedTransition,
  details: ChangeDetails,
): Promise<Run> {
  const { run, rules, frozenUntil } = locked;
  const changed = await recordTransition(tx, deps, locked, accepted, details);
  const waits = STATUS_TRAITS[run.status].claimable || STATUS_TRAITS[changed.status].claimable;
  // A claim removed the row from the dispatch table; nothing else changed.
  const claimed = run.holdsWorkspace && STATUS_TRAITS[changed.status].claimed;
  const inQueue = STATUS_TRAITS[run.status].queued && !STATUS_TRAITS[changed.status].queued;
  const moved = run.holdsWorkspace !== changed.holdsWorkspace;
  if ((waits && !claimed) || inQueue || moved) {
    const fresh = changed.status === run.status ? [] : [run.id];
    // A claim alone blocks no other run.
    const blockersChanged = moved || inQueue || STATUS_TRAITS[changed.status].claimable;
    await settleWorkspace(tx, deps, run.workspaceId, { fresh, blockersChanged, known: { rules, frozenUntil } });
  }
  return changed;
}

/** Decides a command of the system. Throws if the machine refuses it: the caller must have checked before. */
export function mustAccept(locked: LockedRun, command: RunCommand): AcceptedTransition {
  const decision = decide(machineInput(locked), command);
  if (!decision.accepted) throw new Error(`${command.type} of ${locked.run.id}: ${decision.reason}`);
  return decision;
}
