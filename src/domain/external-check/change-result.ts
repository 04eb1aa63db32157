/** Persists what happened to the result of an external check, and lets its run proceed. */
import type { CheckOutcome, ExternalCheckResult } from "../../model/check/external-check.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { AwaitedCheck } from "../../model/policy/judge.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunEventBody } from "../../model/run/run-event.ts";
import { updateResult } from "../../persistence/check/check-result-store.ts";
import { hastenVerification } from "../../persistence/verification/verification-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { recordUpdate } from "../lifecycle/record-transition.ts";
import { readEstimate, recordEstimate } from "./record-cost.ts";

/** The change of a result. */
export interface ResultChange {
  result: ExternalCheckResult;
  /** Absent: those before stay. */
  outcomes?: readonly CheckOutcome[] | undefined;
  /** The actor that caused it; absent: the system. */
  actorId?: string;
  /** `false`: nothing changed that listeners see. */
  isShown?: boolean;
  /** The check, and what its request waits for; `null`: for nothing. Absent: as before. */
  hint?: { name: string; text: string | null };
}

/**
 * Writes a changed result, with the estimate in its outcomes, and its event. The rows of the run and of the result must be
 * locked. An ended run does not change: the list of its results alone shows it. Throws ReportRefused.
 */
export async function changeResult(
  tx: Transaction,
  deps: Deps,
  run: Run,
  { result, outcomes, actorId = SYSTEM_ACTOR_ID, isShown = true, hint }: ResultChange,
): Promise<void> {
  const cost = outcomes === undefined || !result.estimatesCost ? undefined : readEstimate(outcomes);
  await updateResult(tx, result, outcomes);
  if (cost !== undefined) await recordEstimate(tx, run, result, cost);
  if (!isShown) return;
  if (isTerminal(run.status)) return tx.announce(`run:${run.id}`);
  const events: RunEventBody[] = [{ type: "CHECK_CHANGED", resultId: result.id, to: result.status }];
  const awaitedCheck = hint === undefined ? null : withHint(run.awaitedCheck, hint);
  if (awaitedCheck === null) return void (await recordUpdate(tx, deps, run, { actorId, events }));
  events.push({ type: "CHANGED", fields: ["blockers"] });
  await recordUpdate(tx, deps, run, { actorId, events, set: { awaitedCheck } });
}

/** Replaces what a check waits for in the judgement that a run waits for; `null` if that changes nothing. */
function withHint(
  awaited: AwaitedCheck | null,
  { name, text }: { name: string; text: string | null },
): AwaitedCheck | null {
  const before = awaited?.hints ?? [];
  const others = before.filter((hint) => hint.name !== name);
  if (awaited === null || (text === null && others.length === before.length)) return null;
  return { ...awaited, hints: text === null ? others : [...others, { name, text }] };
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
  // A worker concludes what waited for it.
  if (result.stage === "POST_APPLY") await hastenVerification(tx, run.id, deps.clock().toISOString());
  else tx.announce("judgements");
}

/** Ends a result that has no answer. */
export function ended(
  result: ExternalCheckResult,
  status: "ERRORED" | "TIMED_OUT" | "CANCELED",
  { at, message }: { at: string; message: string | null },
): ExternalCheckResult {
  return { ...result, status, message: message ?? result.message, finishedAt: at, dueAt: null };
}
