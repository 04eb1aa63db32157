/** Gives requests of external checks to runners of a pool, and takes the answers of the services. */
import { isTaken, LOST_RUNNER_TEXT } from "../../model/check/check-request.ts";
import { isAtStage, isOpen } from "../../model/check/external-check.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { RunnerCaller } from "../../model/people/permission.ts";
import {
  answerTest,
  deleteRequest,
  findOfferedRequest,
  findRequest,
  findRequestByLease,
  leaseRequest,
  lockRequest,
  noteChecksOffered,
  readTest,
  type RequestAnswer,
  type RequestContent,
} from "../../persistence/check/check-request-store.ts";
import { findChecks } from "../../persistence/check/check-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { buildRequest } from "../external-check/build-request.ts";
import { changeResult, endResult } from "../external-check/change-result.ts";
import { type DueRequest, lockRunAndResult } from "../external-check/lock-result.ts";
import { boundedBy } from "../external-check/offer-request.ts";
import { afterFailure, recordAnswer } from "../external-check/record-answer.ts";
import { JobError } from "../job/job-error.ts";
import { recordContact, type RunnerReport } from "../job/record-contact.ts";
import type { Deps } from "../kit/deps.ts";

/** An attempt of a runner to get a request. */
export interface RequestClaim extends RunnerReport {
  /** Random; the same one gets the same request again. */
  leaseId: string;
}

/** A request that a runner is to send. */
export interface LeasedRequest extends RequestContent {
  id: string;
  fence: number;
}

export interface RequestReport extends RequestAnswer {
  id: string;
  fence: number;
}

export interface CheckRequests {
  /** `null` if there is no request for the runner. Throws JobError. */
  lease(caller: RunnerCaller, claim: RequestClaim): Promise<LeasedRequest | null>;
  /** Throws JOB_OVER if the request is another runner's, or was answered or withdrawn. */
  report(caller: RunnerCaller, report: RequestReport): Promise<void>;
}

export function createCheckRequests(deps: Deps): CheckRequests {
  return {
    lease: (caller, claim) => lease(deps, caller, claim),
    report: (caller, report) => takeAnswer(deps, caller, report),
  };
}

/** Requests that one attempt may find of no use, before it gives up. */
const MOST_SKIPPED = 20;

async function lease(deps: Deps, caller: RunnerCaller, claim: RequestClaim): Promise<LeasedRequest | null> {
  const poolId = poolOf(caller);
  const runner = await recordContact(deps, caller, claim);
  if (runner.drainRequested || runner.cycled || claim.runner.draining) return null;
  const at = deps.clock().toISOString();
  await noteChecksOffered(deps.database, runner.id, at);
  const { leaseId } = claim;
  const earlier = await findRequestByLease(deps.database, { poolId, leaseId, at });
  if (earlier !== null) {
    const due = await deps.database.transaction((tx) => readDue(tx, deps, earlier.about?.resultId ?? null));
    const content = await contentOf(deps, earlier.id, due);
    if (content !== null && !("error" in content)) return { id: earlier.id, fence: earlier.fence, ...content };
  }
  for (let skipped = 0; skipped < MOST_SKIPPED; skipped++) {
    const offered = await findOfferedRequest(deps.database, poolId, at);
    if (offered === null) return null;
    const { id, about } = offered;
    const taken = await deps.database.transaction((tx) => take(tx, deps, { id, about, leaseId }));
    if (taken === null) continue;
    const content = await contentOf(deps, id, taken.due);
    if (content !== null && !("error" in content)) return { id, fence: taken.fence, ...content };
    const error = content?.error ?? null;
    await takeAnswer(deps, caller, { id, fence: taken.fence, statusCode: null, error }).catch(ignoreOver);
  }
  return null;
}

function poolOf({ poolId }: RunnerCaller): string {
  if (poolId !== null) return poolId;
  throw new JobError("FORBIDDEN", "Requests of checks are for the runners of a pool.");
}

/** Returns a request as it is sent, or why it cannot be; `null`: its result is gone. A test has its content with it. */
function contentOf(
  deps: Deps,
  id: string,
  due: DueRequest | null | "TEST",
): Promise<RequestContent | { error: string } | null> {
  if (due === null) return Promise.resolve(null);
  return due === "TEST" ? readTest(deps.database, deps.cipher, id) : buildRequest(deps, due);
}

/** Reads the result for a request that is sent; `null` if nothing is to be sent about it any more. */
async function readDue(tx: Transaction, deps: Deps, resultId: string | null): Promise<DueRequest | null | "TEST"> {
  if (resultId === null) return "TEST";
  const found = await lockRunAndResult(tx, deps, resultId);
  if (found === null) return null;
  const { run, result } = found;
  const [check = null] = await findChecks(tx, [result.checkId]);
  if (check === null || !check.enabled || result.status !== "PENDING" || !isAtStage(run, result)) return null;
  return { run, result, check };
}

interface Taking {
  id: string;
  about: { resultId: string; round: number } | null;
  leaseId: string;
}

/** Gives a request to a runner; `null` if it is another's by now, or of no use any more. */
async function take(
  tx: Transaction,
  deps: Deps,
  { id, about, leaseId }: Taking,
): Promise<{ due: DueRequest | "TEST"; fence: number } | null> {
  const now = deps.clock();
  const at = now.toISOString();
  const due = await readDue(tx, deps, about?.resultId ?? null);
  const request = await lockRequest(tx, id);
  if (request === null || isTaken(request, at)) return null;
  const until = new Date(now.getTime() + LIMITS.checkRequestLeaseMs).toISOString();
  if (due === "TEST") return { due, fence: await leaseRequest(tx, id, { leaseId, until }) };
  if (due === null || due.result.round !== about?.round || due.check.viaPoolId !== request.poolId) {
    // A server offers it again if it is still due.
    await deleteRequest(tx, id);
    return null;
  }
  const { run, check } = due;
  const { message } = due.result;
  // The runner before this one may have sent it: that counts.
  const counted = request.leaseUntil === null ? due.result : afterFailure(due.result, LOST_RUNNER_TEXT, at);
  if (!isOpen(counted)) {
    await deleteRequest(tx, id);
    await endResult(tx, deps, run, counted);
    return null;
  }
  const fence = await leaseRequest(tx, id, { leaseId, until });
  const result = { ...counted, message: null, dueAt: boundedBy(counted, until) };
  const hint = { name: check.name, text: null };
  await changeResult(tx, deps, run, { result, hint, isShown: message !== null });
  return { due: { run, check, result }, fence };
}

async function takeAnswer(
  deps: Deps,
  caller: RunnerCaller,
  { id, fence, statusCode, error }: RequestReport,
): Promise<void> {
  const poolId = poolOf(caller);
  const found = await findRequest(deps.database, id);
  if (found === null || found.poolId !== poolId) throw requestOver();
  await deps.database.transaction(async (tx) => {
    const { about } = found;
    const locked = about === null ? null : await lockRunAndResult(tx, deps, about.resultId);
    const request = await lockRequest(tx, id);
    if (request === null || request.fence !== fence) throw requestOver();
    if (about === null) return answerTest(tx, id, { statusCode, error }, deps.clock().toISOString());
    await deleteRequest(tx, id);
    if (locked === null || !isOpen(locked.result) || locked.result.round !== about.round) return;
    await recordAnswer(tx, deps, locked, { statusCode, error });
  });
}

function requestOver(): JobError {
  return new JobError("JOB_OVER", "The request is another runner's, or was answered or withdrawn: forget it.");
}

function ignoreOver(error: unknown): void {
  if (!(error instanceof JobError)) throw error;
}
