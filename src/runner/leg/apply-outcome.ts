import type { FailureCode } from "../../model/lifecycle/failure-code.ts";
import type { Diagnostic } from "../engine/engine-event.ts";
import type { SettleResult } from "../state/state-delivery.ts";

/** The facts that decide the outcome of an apply. */
export interface ApplyFacts {
  leg: "APPLY" | "DESTROY";
  exit: { code: number | null; signal: NodeJS.Signals | null; interrupted: boolean; killed: boolean };
  errors: readonly Diagnostic[];
  appliedAddresses: readonly string[];
  /** Whether the engine reported that it applied the whole plan. It exits with 0 also if it was asked for help. */
  completed: boolean;
  lockRefused: boolean;
  /** Whether the server has the newest state. */
  settled: SettleResult;
}

export type ApplyOutcome = { applied: true } | { applied: false; code: FailureCode; stateUncertain: boolean };

/** The engine's error for a saved plan whose state has changed since. */
const STALE = "Saved plan is stale";

/** Judges how an apply ended. An unsaved state outweighs every other error. */
export function judgeApply(facts: ApplyFacts): ApplyOutcome {
  const { leg, exit, errors, appliedAddresses, completed, lockRefused, settled } = facts;
  const stateUncertain = exit.killed || exit.signal !== null;
  if (settled !== null) return { applied: false, code: "STATE_NOT_SAVED", stateUncertain: true };
  if (exit.code === 0 && completed) return { applied: true };
  const failed = (code: FailureCode): ApplyOutcome => ({ applied: false, code, stateUncertain });
  if (exit.interrupted) return failed("APPLY_INTERRUPTED");
  if (errors.some(({ summary }) => summary === STALE)) return failed("PLAN_STALE");
  if (lockRefused) return failed("STATE_LOCK_HELD");
  if (leg === "DESTROY") return failed("DESTROY_FAILED");
  return failed(appliedAddresses.length === 0 ? "APPLY_FAILED" : "APPLY_PARTIAL");
}
