/** Routes by which runners get the probes of verifications and of tests, and report what they found. */
import type { Sampling } from "../domain/sampling/sampling.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { RunnerCaller } from "../model/people/permission.ts";
import { VERIFICATION_LIMITS } from "../model/workspace/verification-limits.ts";
import { parseJson } from "./body.ts";
import { answer, type Exchange } from "./exchange.ts";
import { parseSamplingClaim, parseSamplingReport, SAMPLING_REPORT_BYTES } from "./parse-samples.ts";
import type { WaitFor } from "./wait-for.ts";
import type { SamplingAnswer } from "./wire.ts";

export interface SamplingDeps {
  sampling: Sampling;
  waitFor: WaitFor;
  draining: AbortSignal;
}

type SamplingRoute = (deps: SamplingDeps, exchange: Exchange, caller: RunnerCaller) => Promise<void>;

/** The routes by their paths; all take POST. */
export const SAMPLING_ROUTES: ReadonlyMap<string, SamplingRoute> = new Map([
  ["verifications/lease", lease],
  ["verifications/report", report],
]);

/** Long poll: looks, waits until something is due or for a hint, looks again until the time is over. */
async function lease(
  { sampling, waitFor, draining }: SamplingDeps,
  exchange: Exchange,
  caller: RunnerCaller,
): Promise<void> {
  const claim = parseSamplingClaim(parseJson(await exchange.body(LIMITS.requestBytes)));
  const gone = new AbortController();
  exchange.response.on("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, draining, AbortSignal.timeout(claim.waitMs)]);
  using waiting = waitFor("verification-samples", signal);
  do {
    waiting.reset();
    const found = await sampling.lease(caller, claim);
    if ("samples" in found) {
      return answer(exchange, 200, { ...found.samples, leaseMs: VERIFICATION_LIMITS.leaseMs } satisfies SamplingAnswer);
    }
    // Hints may be lost.
    if (claim.waitMs > 0) await waiting.changed(Math.min(found.waitMs, LIMITS.streamPollMs));
  } while (!signal.aborted && claim.waitMs > 0);
  answer(exchange, 204, null);
}

async function report({ sampling }: SamplingDeps, exchange: Exchange, caller: RunnerCaller): Promise<void> {
  await sampling.report(caller, parseSamplingReport(parseJson(await exchange.body(SAMPLING_REPORT_BYTES))));
  answer(exchange, 204, null);
}
