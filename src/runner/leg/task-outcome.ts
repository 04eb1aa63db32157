import type { FailureCode } from "../../model/lifecycle/failure-code.ts";
import type { SettleResult } from "../state/state-delivery.ts";

/** The facts that decide the outcome of a task. */
export interface TaskFacts {
  exit: { code: number | null; signal: NodeJS.Signals | null; interrupted: boolean; killed: boolean };
  /** Whether the server has the newest state. */
  settled: SettleResult;
  /** An engine in the command was killed while it held the state lock. */
  lockHeld: boolean;
}

export interface TaskFailed {
  performed: false;
  code: FailureCode;
  stateUncertain: boolean;
}
export type TaskOutcome = { performed: true } | TaskFailed;

/** Judges how a task ended. An unsaved state outweighs every other error. */
export function judgeTask({ exit, settled, lockHeld }: TaskFacts): TaskOutcome {
  if (settled !== null) return { performed: false, code: "STATE_NOT_SAVED", stateUncertain: true };
  if (exit.code === 0 && !lockHeld) return { performed: true };
  const stateUncertain = exit.killed || lockHeld;
  return { performed: false, code: exit.interrupted ? "APPLY_INTERRUPTED" : "TASK_FAILED", stateUncertain };
}
