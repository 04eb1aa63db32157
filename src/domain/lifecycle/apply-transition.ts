import type { Run } from "../../model/run/run.ts";
import { type AcceptedTransition, decide, type RunCommand } from "../../model/lifecycle/run-machine.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { machineInput, type LockedRun } from "./machine-input.ts";
import { recordTransition } from "./record-transition.ts";
import { settleWorkspace } from "./settle-workspace.ts";
import { admissionEffects, type ChangeDetails } from "./transition-changes.ts";

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
  const { run, rules, frozenUntil, judges, hasProbes } = locked;
  const changed = await recordTransition(tx, deps, locked, accepted, details);
  const effects = admissionEffects(run, changed);
  if (effects !== null) {
    const known = { rules, frozenUntil, judges, hasProbes };
    await settleWorkspace(tx, deps, run.workspaceId, { ...effects, known });
  }
  return changed;
}

/** Decides a command of the system. Throws if the machine refuses it: the caller must have checked before. */
export function mustAccept(locked: LockedRun, command: RunCommand): AcceptedTransition {
  const decision = decide(machineInput(locked), command);
  if (!decision.accepted) throw new Error(`${command.type} of ${locked.run.id}: ${decision.reason}`);
  return decision;
}
