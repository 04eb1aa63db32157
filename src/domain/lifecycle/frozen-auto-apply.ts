import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { decide } from "../../model/lifecycle/run-machine.ts";
import type { Run } from "../../model/run/run.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { setAlarm } from "../../persistence/run/alarm-store.ts";
import type { Deps } from "../kit/deps.ts";
import { waitingAlarm } from "./alarm.ts";
import { machineInput, type LockedRun } from "./machine-input.ts";
import { recordUpdate } from "./record-transition.ts";
import { applyTransition } from "./apply-transition.ts";

const REASON = "The freeze window has closed, and auto-apply covers the plan.";

/**
 * Whether a freeze window delays the auto-apply of a run at the apply gate. Its `applyAt` is then the end of the
 * window.
 */
export function isHeldByFreeze({ status, applyAt }: Pick<Run, "status" | "applyAt">): boolean {
  return STATUS_TRAITS[status].gate === "APPLY" && applyAt !== null;
}

/**
 * Applies a held run once no freeze window is open. If auto-apply no longer covers the plan (a lock, a pause, another
 * rule), the run waits for a person.
 */
export async function resumeAutoApply(tx: Transaction, deps: Deps, locked: LockedRun): Promise<void> {
  const { run, plan, frozenUntil } = locked;
  if (frozenUntil === null) {
    const decision = decide(machineInput(locked), { type: "autoApply", planVersion: plan?.version ?? 0 });
    if (decision.accepted) {
      await applyTransition(tx, deps, locked, decision, { actorId: SYSTEM_ACTOR_ID, reason: REASON });
      return;
    }
  }
  const alarmAt = waitingAlarm({ ...locked, run: { ...run, applyAt: frozenUntil } }, deps.clock());
  if (frozenUntil === run.applyAt) return setAlarm(tx, run.id, alarmAt);
  const details = {
    actorId: SYSTEM_ACTOR_ID,
    set: { applyAt: frozenUntil, alarmAt },
    events: [{ type: "CHANGED" as const, fields: ["applyAt"] }],
  };
  await recordUpdate(tx, deps, run, details);
}
