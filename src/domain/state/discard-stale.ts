import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listRunsAtGate } from "../../persistence/run/run-store.ts";
import type { Deps } from "../kit/deps.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { mustAccept, applyTransition } from "../lifecycle/apply-transition.ts";

/** Discards runs at gates whose plan was made from an older state. The workspace's row must be locked. */
export async function discardStale(tx: Transaction, deps: Deps, workspaceId: string, serial: number): Promise<void> {
  for (const runId of await listRunsAtGate(tx, workspaceId)) {
    const locked = await lockForChange(tx, deps, runId);
    if (locked === null) continue;
    const madeFrom = locked.plan ?? locked.rollback;
    if (madeFrom === null || madeFrom.stateSerial >= serial) continue;
    const what = locked.plan === null ? "the rollback was asked for" : "the plan was made";
    await applyTransition(tx, deps, locked, mustAccept(locked, { type: "discard", planVersion: null }), {
      actorId: SYSTEM_ACTOR_ID,
      reason: `The state moved to serial ${serial} after ${what}.`,
    });
  }
}
