/** What every change of a run goes through: the machine's word is written, and whoever waited for it goes on. */
import type { Run } from "../../model/run/run.ts";
import { type Acceptance, decide, type RunCommand } from "../../model/lifecycle/run-machine.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { factsOf, type LockedRun } from "./locked-run.ts";
import { type ChangeDetails, recordChange } from "./record-change.ts";
import { settleWorkspace } from "./settle-workspace.ts";

/** Writes what the machine accepted, and lets go on what can go on now. */
export async function writeChange(
  tx: Transaction,
  deps: Deps,
  locked: LockedRun,
  accepted: Acceptance,
  details: ChangeDetails,
): Promise<Run> {
  const { run, policy, frozenUntil } = locked;
  const changed = await recordChange(tx, deps, locked, accepted, details);
  const waits = STATUS_TRAITS[run.status].claimable || STATUS_TRAITS[changed.status].claimable;
  // Its row in the dispatch table went with the claim, and nothing else has changed.
  const claimed = run.holdsWorkspace && STATUS_TRAITS[changed.status].claimed;
  const inQueue = STATUS_TRAITS[run.status].queued && !STATUS_TRAITS[changed.status].queued;
  const moved = run.holdsWorkspace !== changed.holdsWorkspace;
  if ((waits && !claimed) || inQueue || moved) {
    const fresh = changed.status === run.status ? [] : [run.id];
    // A claim alone is in nobody's way.
    const tell = moved || inQueue || STATUS_TRAITS[changed.status].claimable;
    await settleWorkspace(tx, deps, run.workspaceId, { fresh, tell, rules: { policy, frozenUntil } });
  }
  return changed;
}

/** Asks the machine on behalf of the system; a refusal means that a caller did not look before it asked. */
export function mustAccept(locked: LockedRun, command: RunCommand): Acceptance {
  const decision = decide(factsOf(locked), command);
  if (!decision.accepted) throw new Error(`${command.type} of ${locked.run.id}: ${decision.reason}`);
  return decision;
}
