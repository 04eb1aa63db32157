/** Does what is due of a result: makes a request, or ends it because its check is silent or of no use any more. */
import {
  type ExternalCheckResult,
  exceededText,
  isAtStage,
  isOpen,
  totalLimitOf,
} from "../../model/check/external-check.ts";
import { deleteRequestOf, type RequestAnswer } from "../../persistence/check/check-request-store.ts";
import { findChecks } from "../../persistence/check/check-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { sendRequest, type Transport } from "../../network/send-request.ts";
import type { Deps } from "../kit/deps.ts";
import { buildRequest } from "./build-request.ts";
import { ended, endResult as end } from "./change-result.ts";
import { type DueRequest, lockRunAndResult } from "./lock-result.ts";
import { offerRequest } from "./offer-request.ts";
import { recordAnswer } from "./record-answer.ts";

export type CheckTransport = Pick<Transport, "allowed" | "resolve" | "limits">;

/**
 * Does what is due of a result that this server has. Throws if `signal` aborts or the database is not available: another
 * server does it once the lease is over, and its service may get the request twice, with the same id and token.
 */
export async function requestCheck(
  deps: Deps,
  transport: CheckTransport,
  resultId: string,
  signal: AbortSignal,
): Promise<void> {
  const due = await deps.database.transaction((tx) => takeStep(tx, deps, resultId));
  if (due === null) return;
  const request = await buildRequest(deps, due);
  const answer =
    "error" in request ? { statusCode: null, error: request.error } : await sendRequest(request, transport, signal);
  await deps.database.transaction((tx) => record(tx, deps, due, answer));
}

/**
 * Ends a result that is to end, or offers its request to the runners of a pool; gives the request that this server sends
 * otherwise, `null` if none is due.
 */
async function takeStep(tx: Transaction, deps: Deps, resultId: string): Promise<DueRequest | null> {
  const found = await lockRunAndResult(tx, deps, resultId);
  if (found === null) return null;
  const { run, result } = found;
  const now = deps.clock();
  const at = now.toISOString();
  if (!isOpen(result)) return null;
  const [check = null] = await findChecks(tx, [result.checkId]);
  if (check === null || !check.enabled) {
    await deleteRequestOf(tx, resultId);
    await end(tx, deps, run, ended(result, "CANCELED", { at, message: "The check was deleted or disabled." }));
    return null;
  }
  if (!isAtStage(run, result)) {
    await deleteRequestOf(tx, resultId);
    await end(tx, deps, run, ended(result, "CANCELED", { at, message: null }));
    return null;
  }
  if (result.dueAt !== null && result.dueAt > at) return null;
  if (result.status === "PENDING" && at < totalLimitOf(result)) {
    const request = { result, check, run };
    if (check.viaPoolId === null) return request;
    await offerRequest(tx, deps, request, check.viaPoolId);
    return null;
  }
  if (check.viaPoolId !== null) await deleteRequestOf(tx, resultId);
  await end(tx, deps, run, ended(result, "TIMED_OUT", { at, message: silenceText(result, at) }));
  return null;
}

/** A result that no service has accepted may know what it has waited for. */
function silenceText(result: ExternalCheckResult, at: string): string {
  const exceeded = exceededText(result, at);
  return result.status === "PENDING" && result.message !== null ? `${exceeded} ${result.message}` : exceeded;
}

/** Records the answer to a request. A new round, and a request that was counted meanwhile, are left as they are. */
async function record(tx: Transaction, deps: Deps, sent: DueRequest, answer: RequestAnswer): Promise<void> {
  const found = await lockRunAndResult(tx, deps, sent.result.id);
  if (found === null) return;
  const { result } = found;
  if (!isOpen(result) || result.round !== sent.result.round || result.attempts !== sent.result.attempts) return;
  await recordAnswer(tx, deps, found, answer);
}
