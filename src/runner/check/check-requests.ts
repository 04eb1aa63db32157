/** Sends requests of external checks in the network of the runner. It takes no slot of a job. */
import { z } from "zod";
import type { CheckRequestAnswer, CheckRequestClaim, CheckRequestReport } from "../../ingestion/wire.ts";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { sendRequest } from "../../network/send-request.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import { REFUSED_BY_RUNNER, runnerTargets } from "../network/runner-network.ts";
import { BackOff } from "../server/back-off.ts";
import { isTokenRefusal } from "../server/pool-check.ts";
import { ProtocolRefusal, readBody, retryUntilAnswered, sendOnce } from "../server/server-request.ts";

export interface CheckSending {
  serverUrl: string;
  token: string;
  /** The runner, as it introduces itself. */
  runner: Pick<CheckRequestClaim, "runner" | "engine">;
  /** Targets that the runner reaches beside public addresses and private networks. */
  networkAllow: readonly AllowedTarget[];
  randomId: () => string;
  limits: RunnerLimits;
  log: RunnerLog;
  /** Aborts when the runner takes no more work. Requests that it has are still sent. */
  signal: AbortSignal;
}

const requestSchema = z.object({
  id: z.string(),
  fence: z.int(),
  leaseMs: z.number().positive(),
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
}) satisfies z.ZodType<CheckRequestAnswer>;

const NO_REQUEST = 204;
/** Time for the answer after the wait of the server has ended. */
const SLACK_MS = 15_000;

/** Sends requests until the runner drains. Resolves when all of them are reported; never rejects. */
export async function sendCheckRequests(sending: CheckSending): Promise<void> {
  const { limits, log, signal, randomId } = sending;
  const backOff = new BackOff(limits);
  const active = new Set<Promise<void>>();
  let leaseId = randomId();
  while (!signal.aborted) {
    if (active.size >= limits.checkRequestsAtOnce) await Promise.race(active);
    const askedMs = performance.now();
    try {
      const request = await lease(sending, leaseId);
      leaseId = randomId();
      if (request !== null) {
        backOff.reset();
        const work: Promise<void> = perform(sending, request).finally(() => active.delete(work));
        active.add(work);
      } else if (performance.now() - askedMs < limits.backOffLastMs / 10) await backOff.wait(signal);
      else backOff.reset();
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof ProtocolRefusal) {
        // A refused token ends the runner by its claims of jobs.
        if (!isTokenRefusal(error)) log.error({ err: error }, "The server has no requests of checks for runners");
        break;
      }
      log.debug({ err: error }, "The server gives no requests of checks: retrying");
      await backOff.wait(signal).catch(() => undefined);
    }
  }
  await Promise.all(active);
}

async function lease(
  { serverUrl, token, runner, limits, signal }: CheckSending,
  leaseId: string,
): Promise<CheckRequestAnswer | null> {
  const waitMs = limits.claimWaitMs;
  const response = await sendOnce(serverUrl, {
    method: "POST",
    path: "check-requests/lease",
    token,
    body: JSON.stringify({ leaseId, ...runner, waitMs } satisfies CheckRequestClaim),
    contentType: "application/json",
    timeoutMs: waitMs + SLACK_MS,
    signal,
  });
  const body = Buffer.from(await readBody(response, signal));
  return response.status === NO_REQUEST ? null : requestSchema.parse(JSON.parse(body.toString()));
}

/** Sends a request, and reports the answer while the lease lasts. A lost report is another attempt of the server. */
async function perform(sending: CheckSending, { id, fence, leaseMs, url, headers, body }: CheckRequestAnswer) {
  const { networkAllow, log, limits, serverUrl, token } = sending;
  const signal = AbortSignal.timeout(leaseMs);
  try {
    const allowed = runnerTargets(networkAllow);
    const transport = { allowed, limits: LIMITS.checkRequest, refused: REFUSED_BY_RUNNER };
    const { statusCode, error } = await sendRequest({ url, headers, body }, transport, signal);
    const report: CheckRequestReport = { id, fence, statusCode, error };
    const send = () =>
      sendOnce(serverUrl, {
        method: "POST",
        path: "check-requests/report",
        token,
        body: JSON.stringify(report),
        contentType: "application/json",
        timeoutMs: limits.requestMs,
        signal,
      });
    await retryUntilAnswered(send, { backOff: new BackOff(limits), signal, log });
    log.debug({ requestId: id, statusCode }, "The request of a check was sent");
  } catch (error) {
    log.warn({ requestId: id, err: error }, "The answer to a request of a check was not reported");
  }
}
