/** Offers requests about results to the runners of a pool. */
import { isTaken, LOST_RUNNER_TEXT, missingRunnerText } from "../../model/check/check-request.ts";
import { type ExternalCheckResult, isOpen, totalLimitOf } from "../../model/check/external-check.ts";
import { instantAfter } from "../../model/kit/instant-after.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import {
  deleteRequest,
  findRequestPool,
  insertRequest,
  lockRequestOf,
  releaseRequest,
} from "../../persistence/check/check-request-store.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { changeResult, endResult } from "./change-result.ts";
import type { DueRequest } from "./lock-result.ts";
import { afterFailure } from "./record-answer.ts";

/**
 * Offers the request that is due, or reviews one that was offered before: a runner that had it and did not report counts
 * as a failed request, and another one gets it at once. Notes what the result waits for.
 */
export async function offerRequest(tx: Transaction, deps: Deps, due: DueRequest, poolId: string): Promise<void> {
  const { run, result, check } = due;
  const at = deps.clock().toISOString();
  const found = await lockRequestOf(tx, result.id);
  const isCurrent = found !== null && found.poolId === poolId && found.about?.round === result.round;
  if (isCurrent && isTaken(found, at)) {
    const dueAt = boundedBy(result, found.leaseUntil ?? at);
    return changeResult(tx, deps, run, { result: { ...result, dueAt }, isShown: false });
  }
  let next = result;
  if (isCurrent && found.leaseUntil !== null) {
    next = afterFailure(result, LOST_RUNNER_TEXT, at);
    if (!isOpen(next)) {
      await deleteRequest(tx, found.id);
      return endResult(tx, deps, run, next);
    }
    await releaseRequest(tx, found.id);
  } else if (!isCurrent) {
    if (found !== null) await deleteRequest(tx, found.id);
    const request = { id: deps.newId("checkRequest"), poolId, offeredAt: at };
    await insertRequest(tx, request, { resultId: result.id, round: result.round });
  }
  const message = await findMissingRunner(tx, poolId, at);
  const dueAt = boundedBy(result, instantAfter(at, LIMITS.checkOfferMs));
  const hint = { name: check.name, text: message };
  await changeResult(tx, deps, run, {
    result: { ...next, message, dueAt },
    hint,
    isShown: message !== result.message,
  });
}

/** Returns why no runner of a pool sends requests; `null` if one has lately asked for them. */
export async function findMissingRunner(reader: Reader, poolId: string, at: string): Promise<string | null> {
  const since = instantAfter(at, -LIMITS.runnerOfflineMs);
  const pool = await findRequestPool(reader, poolId, since);
  return missingRunnerText(pool?.name ?? null, pool?.isOffered ?? false);
}

/** Returns the earlier one of an instant and the end of the result. */
export function boundedBy(result: ExternalCheckResult, at: string): string {
  const total = totalLimitOf(result);
  return at < total ? at : total;
}
