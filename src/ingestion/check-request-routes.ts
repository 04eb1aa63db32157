/** Routes by which runners of a pool get requests of external checks, and report their answers. */
import type { CheckRequests } from "../domain/check-request/check-requests.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { RunnerCaller } from "../model/people/permission.ts";
import { parseJson } from "./body.ts";
import { answer, type Exchange } from "./exchange.ts";
import { parseCheckRequestClaim, parseCheckRequestReport } from "./parse.ts";
import type { WaitFor } from "./wait-for.ts";
import type { CheckRequestAnswer } from "./wire.ts";

export interface CheckRequestDeps {
  checkRequests: CheckRequests;
  waitFor: WaitFor;
  draining: AbortSignal;
}

type CheckRequestRoute = (deps: CheckRequestDeps, exchange: Exchange, caller: RunnerCaller) => Promise<void>;

/** The routes by their paths; all take POST. */
export const CHECK_REQUEST_ROUTES: ReadonlyMap<string, CheckRequestRoute> = new Map([
  ["check-requests/lease", lease],
  ["check-requests/report", report],
]);

/** Long poll: looks, waits for a hint, looks again until the time is over. */
async function lease(
  { checkRequests, waitFor, draining }: CheckRequestDeps,
  exchange: Exchange,
  caller: RunnerCaller,
): Promise<void> {
  const claim = parseCheckRequestClaim(parseJson(await exchange.body(LIMITS.requestBytes)));
  const gone = new AbortController();
  exchange.response.on("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, draining, AbortSignal.timeout(claim.waitMs)]);
  using waiting = waitFor("check-requests", signal);
  do {
    waiting.reset();
    const found = await checkRequests.lease(caller, claim);
    if (found !== null) {
      const leaseMs = LIMITS.checkRequestLeaseMs;
      return answer(exchange, 200, { ...found, leaseMs } satisfies CheckRequestAnswer);
    }
    // Hints may be lost.
    if (claim.waitMs > 0) await waiting.changed(LIMITS.streamPollMs);
  } while (!signal.aborted && claim.waitMs > 0);
  answer(exchange, 204, null);
}

async function report({ checkRequests }: CheckRequestDeps, exchange: Exchange, caller: RunnerCaller): Promise<void> {
  const sent = parseCheckRequestReport(parseJson(await exchange.body(LIMITS.requestBytes)));
  await checkRequests.report(caller, sent);
  answer(exchange, 204, null);
}
