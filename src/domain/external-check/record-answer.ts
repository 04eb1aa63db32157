/** Records the answers of services to requests. */
import { type ExternalCheckResult, isOpen, limitOf } from "../../model/check/external-check.ts";
import { instantAfter } from "../../model/kit/instant-after.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { RequestAnswer } from "../../persistence/check/check-request-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { answerProblem } from "./answer-problem.ts";
import { changeResult, ended, endResult } from "./change-result.ts";
import type { LockedResult } from "./lock-result.ts";

/** Records the answer to a request about an open result. A report that came before it is left as it is. */
export async function recordAnswer(
  tx: Transaction,
  deps: Deps,
  { run, result }: LockedResult,
  { statusCode, error }: RequestAnswer,
): Promise<void> {
  const at = deps.clock().toISOString();
  if (statusCode === 200) {
    const accepted = { ...result, attempts: result.attempts + 1, attemptError: null, acceptedAt: at };
    if (result.status === "RUNNING") return changeResult(tx, deps, run, { result: accepted, isShown: false });
    const running = { ...accepted, status: "RUNNING", dueAt: limitOf(result, at) } as const;
    return changeResult(tx, deps, run, { result: running });
  }
  const failed = afterFailure(result, answerProblem(statusCode, error), at);
  if (!isOpen(failed)) return endResult(tx, deps, run, failed);
  await changeResult(tx, deps, run, { result: failed, isShown: false });
}

/** Counts a request that was not accepted: it is made again after a pause, or the result ends. */
export function afterFailure(result: ExternalCheckResult, attemptError: string, at: string): ExternalCheckResult {
  const attempts = result.attempts + 1;
  const failed = { ...result, attempts, attemptError };
  // The service has reported, so its answer does not count.
  if (result.status === "RUNNING") return failed;
  const pauseMs = LIMITS.checkRetryMs[attempts - 1];
  if (pauseMs === undefined) {
    const message = `The check did not accept ${attempts} requests. ${attemptError}`;
    return ended(failed, "ERRORED", { at, message });
  }
  return { ...failed, dueAt: instantAfter(at, pauseMs) };
}
