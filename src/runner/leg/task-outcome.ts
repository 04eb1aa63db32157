import type { FailureCode } from "../../model/lifecycle/failure.ts";
import type { SettleResult } from "../state/state-delivery.ts";

/** What is known when the command of a task has ended. */
export interface TaskFacts {
  exit: { code: number | null; signal: NodeJS.Signals | null; interrupted: boolean; killed: boolean };
  /** Whether the server has the newest state. */
  settled: SettleResult;
  /** An engine in the command took the state lock and ended without giving it back: it was killed at work. */
  lockHeld: boolean;
}

export interface TaskFailed {
  performed: false;
  code: FailureCode;
  stateUncertain: boolean;
}
export type TaskOutcome = { performed: true } | TaskFailed;

/** How a task ended. An unsaved state weighs more than everything else that went wrong. */
export function judgeTask({ exit, settled, lockHeld }: TaskFacts): TaskOutcome {
  if (settled !== null) return { performed: false, code: "STATE_NOT_SAVED", stateUncertain: true };
  if (exit.code === 0 && !lockHeld) return { performed: true };
  const stateUncertain = exit.killed || lockHeld;
  return { performed: false, code: exit.interrupted ? "APPLY_INTERRUPTED" : "TASK_FAILED", stateUncertain };
}
