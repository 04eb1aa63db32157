/** Persists what happened to the result of an external check, and lets its run proceed. */
import type { CheckOutcome, ExternalCheckResult } from "../../model/check/external-check.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Run } from "../../model/run/run.ts";
import { updateResult } from "../../persistence/check/check-result-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { recordUpdate } from "../lifecycle/record-transition.ts";

/** The change of a result. */
export interface ResultChange {
  result: ExternalCheckResult;
  /** Absent: those before stay. */
  outcomes?: readonly CheckOutcome[] | undefined;
  /** The actor that caused it; absent: the system. */
  actorId?: string;
  /** `false`: nothing changed that listeners see. */
  isShown?: boolean;
}

/**
 * Writes a changed result, and its event. The rows of the run and of the result must be locked. An ended run does not
 * change: the list of its results alone shows it.
 */
export async function changeResult(
  tx: Transaction,
  deps: Deps,
  run: Run,
  { result, outcomes, actorId = SYSTEM_ACTOR_ID, isShown = true }: ResultChange,
): Promise<void> {
  await updateResult(tx, result, outcomes);
  if (!isShown) return;
  if (isTerminal(run.status)) return tx.announce(`run:${run.id}`);
  const events = [{ type: "CHECK_CHANGED" as const, resultId: result.id, to: result.status }];
  await recordUpdate(tx, deps, run, { actorId, events });
}

/** Writes a result that has ended, and lets its run proceed if it waited for nothing else. */
export async function endResult(
  tx: Transaction,
  deps: Deps,
  run: Run,
  result: ExternalCheckResult,
  outcomes?: readonly CheckOutcome[],
): Promise<void> {
  await changeResult(tx, deps, run, { result, outcomes });
  // A worker concludes the judgement that waited for it.
  tx.announce("judgements");
}

/** Ends a result that has no answer. */
export function ended(
  result: ExternalCheckResult,
  status: "ERRORED" | "TIMED_OUT" | "CANCELED",
  { at, message }: { at: string; message: string | null },
): ExternalCheckResult {
  return { ...result, status, message: message ?? result.message, finishedAt: at, dueAt: null };
}
