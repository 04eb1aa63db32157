/** Does what is due of a result: makes a request, or ends it because its check is silent or of no use any more. */
import {
  type ExternalCheck,
  type ExternalCheckResult,
  exceededText,
  isAtStage,
  isOpen,
  limitOf,
  totalLimitOf,
} from "../../model/check/external-check.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Run } from "../../model/run/run.ts";
import { findRunOfResult, lockResult, updateResult } from "../../persistence/check/check-result-store.ts";
import { findChecks, findHmacKey } from "../../persistence/check/check-store.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { getRunInput } from "../../persistence/run/run-store.ts";
import { findWorkspacesEver } from "../../persistence/workspace/workspace-store.ts";
import { checkHeaders, checkPayload, type CheckSubject } from "../check/check-payload.ts";
import { checkToken } from "../check/check-token.ts";
import type { Deps } from "../kit/deps.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { sendRequest, type TargetResponse, type Transport } from "../../network/send-request.ts";
import { changeResult, ended, endResult as end } from "./change-result.ts";
import { answerProblem } from "./test-address.ts";

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
  const answer = await send(deps, transport, due, signal);
  await deps.database.transaction((tx) => record(tx, deps, due, answer));
}

interface DueRequest {
  result: ExternalCheckResult;
  check: ExternalCheck;
  run: Run;
}

/** Ends a result that is to end; gives the request that is due otherwise, `null` if none is. */
async function takeStep(tx: Transaction, deps: Deps, resultId: string): Promise<DueRequest | null> {
  const found = await lockBoth(tx, deps, resultId);
  if (found === null) return null;
  const { run, result } = found;
  const now = deps.clock();
  const at = now.toISOString();
  if (!isOpen(result)) return null;
  const [check = null] = await findChecks(tx, [result.checkId]);
  if (check === null || !check.enabled) {
    await end(tx, deps, run, ended(result, "CANCELED", { at, message: "The check was deleted or disabled." }));
    return null;
  }
  if (!isAtStage(run, result)) {
    await end(tx, deps, run, ended(result, "CANCELED", { at, message: null }));
    return null;
  }
  if (result.dueAt !== null && result.dueAt > at) return null;
  if (result.status === "PENDING" && at < totalLimitOf(result)) return { result, check, run };
  await end(tx, deps, run, ended(result, "TIMED_OUT", { at, message: exceededText(result, at) }));
  return null;
}

/** Locks the run of a result, then the result. A result whose workspace was deleted ends without its run. */
async function lockBoth(
  tx: Transaction,
  deps: Deps,
  resultId: string,
): Promise<{ run: Run; result: ExternalCheckResult } | null> {
  const runId = await findRunOfResult(tx, resultId);
  if (runId === null) return null;
  const locked = await lockForChange(tx, deps, runId);
  const result = await lockResult(tx, resultId);
  if (result === null) return null;
  if (locked !== null) return { run: locked.run, result };
  if (isOpen(result)) {
    const at = deps.clock().toISOString();
    await updateResult(tx, ended(result, "CANCELED", { at, message: "The workspace was deleted." }));
  }
  return null;
}

async function send(
  deps: Deps,
  transport: CheckTransport,
  { result, check, run }: DueRequest,
  signal: AbortSignal,
): Promise<Pick<TargetResponse, "statusCode" | "error">> {
  // Without its address, a server is asked for nothing: no report could come back.
  if (deps.publicUrl === null) return { statusCode: null, error: NO_ORIGIN };
  const hmacKey = await readKey(deps, check.id);
  if (hmacKey === undefined) return { statusCode: null, error: NO_KEY };
  const token = checkToken(deps.cipher, result);
  const subject = await readSubject(deps, run);
  const body = JSON.stringify(checkPayload({ origin: deps.publicUrl, token, result, subject }));
  return sendRequest({ url: check.url, headers: checkHeaders(body, hmacKey), body }, transport, signal);
}

const NO_ORIGIN = "This server has no address to which checks can report. Set HOLDPOINT_PUBLIC_URL.";
const NO_KEY = "The key of the check cannot be decrypted. Set it again with `updateExternalCheck`.";

/** Reads the key of a check; `undefined` if it cannot be decrypted. */
async function readKey(deps: Deps, checkId: string): Promise<string | null | undefined> {
  try {
    return await findHmacKey(deps.database, deps.cipher, checkId);
  } catch (error) {
    deps.reportError(error, `decrypting the key of ${checkId}`);
    return undefined;
  }
}

async function readSubject({ database }: Pick<Deps, "database">, run: Run): Promise<CheckSubject> {
  const [organization = null] = await findOrganizations(database, [run.organizationId]);
  const [workspace = null] = await findWorkspacesEver(database, [run.workspaceId]);
  if (organization === null || workspace === null) throw new Error(`The workspace of ${run.id} is missing.`);
  const [actor = null] = await findActors(database, [run.createdById]);
  const { source } = await getRunInput(database, run.id);
  return { organization, workspace, run, createdByName: actor?.name ?? "", source };
}

/** Records the answer to a request. A report that came before it, or a new round, is left as it is. */
async function record(
  tx: Transaction,
  deps: Deps,
  sent: DueRequest,
  { statusCode, error }: Pick<TargetResponse, "statusCode" | "error">,
): Promise<void> {
  const found = await lockBoth(tx, deps, sent.result.id);
  if (found === null) return;
  const { run, result } = found;
  if (!isOpen(result) || result.round !== sent.result.round || result.attempts !== sent.result.attempts) return;
  const at = deps.clock().toISOString();
  const attempts = result.attempts + 1;
  if (statusCode === 200) {
    const accepted = { ...result, attempts, attemptError: null, acceptedAt: at };
    if (result.status === "RUNNING") return changeResult(tx, deps, run, { result: accepted, isShown: false });
    const running = { ...accepted, status: "RUNNING", dueAt: limitOf(result, at) } as const;
    return changeResult(tx, deps, run, { result: running });
  }
  const attemptError = answerProblem(statusCode, error);
  const failed = { ...result, attempts, attemptError };
  // The service has reported, so its answer does not count.
  if (result.status === "RUNNING") return changeResult(tx, deps, run, { result: failed, isShown: false });
  const pauseMs = LIMITS.checkRetryMs[attempts - 1];
  if (pauseMs === undefined) {
    const message = `The check did not accept ${attempts} requests. ${attemptError}`;
    return end(tx, deps, run, ended(failed, "ERRORED", { at, message }));
  }
  const dueAt = new Date(Date.parse(at) + pauseMs).toISOString();
  await changeResult(tx, deps, run, { result: { ...failed, dueAt }, isShown: false });
}
