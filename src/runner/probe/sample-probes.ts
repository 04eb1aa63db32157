/** Samples the probes of verifications in the network of the runner. It takes no slot of a job. */
import type { SamplingAnswer, SamplingClaim, SamplingReport } from "../../ingestion/wire.ts";
import type { Prober } from "../../model/probe/prober.ts";
import type { ProbeSample } from "../../model/probe/probe-sample.ts";
import type { ReportedSamples, SampleRequest } from "../../model/verification/sampling.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import { BackOff } from "../server/back-off.ts";
import { isTokenRefusal } from "../server/pool-check.ts";
import { ProtocolRefusal, readBody, retryUntilAnswered, sendOnce } from "../server/server-request.ts";
import { type CommandRunning, runCommands } from "./run-commands.ts";
import { samplingSchema } from "./samples-schema.ts";

export interface ProbeSampling {
  serverUrl: string;
  token: string;
  /** The runner, as it introduces itself. */
  runner: Pick<SamplingClaim, "runner" | "engine">;
  prober: Pick<Prober, "probe">;
  commands: CommandRunning;
  randomId: () => string;
  limits: RunnerLimits;
  log: RunnerLog;
  /** Aborts when the runner takes no more work. Probes that it has are still sampled. */
  signal: AbortSignal;
}

const NO_PROBES = 204;
/** Time for the answer after the wait of the server has ended. */
const SLACK_MS = 15_000;
/** The part of a lease after which what was not sampled is left out, so that the rest is reported in time. */
const SAMPLED_PART = 5 / 6;

/** Samples probes until the runner drains. Resolves when all of them are reported; never rejects. */
export async function sampleProbes(sampling: ProbeSampling): Promise<void> {
  const { limits, log, signal, randomId } = sampling;
  const backOff = new BackOff(limits);
  const active = new Set<Promise<void>>();
  let leaseId = randomId();
  while (!signal.aborted) {
    if (active.size >= limits.samplingsAtOnce) await Promise.race(active);
    const askedMs = performance.now();
    try {
      const work = await lease(sampling, leaseId);
      leaseId = randomId();
      if (work !== null) {
        backOff.reset();
        const sampled: Promise<void> = perform(sampling, work).finally(() => active.delete(sampled));
        active.add(sampled);
      } else if (performance.now() - askedMs < limits.backOffLastMs / 10) await backOff.wait(signal);
      else backOff.reset();
    } catch (error) {
      if (signal.aborted) break;
      if (error instanceof ProtocolRefusal) {
        // A refused token ends the runner by its claims of jobs.
        if (!isTokenRefusal(error)) log.error({ err: error }, "The server has no probes for runners");
        break;
      }
      log.debug({ err: error }, "The server gives no probes: retrying");
      await backOff.wait(signal).catch(() => undefined);
    }
  }
  await Promise.all(active);
}

async function lease(
  { serverUrl, token, runner, limits, signal }: ProbeSampling,
  leaseId: string,
): Promise<SamplingAnswer | null> {
  const waitMs = limits.claimWaitMs;
  const response = await sendOnce(serverUrl, {
    method: "POST",
    path: "verifications/lease",
    token,
    body: JSON.stringify({ leaseId, ...runner, waitMs } satisfies SamplingClaim),
    contentType: "application/json",
    timeoutMs: waitMs + SLACK_MS,
    signal,
  });
  const body = Buffer.from(await readBody(response, signal));
  return response.status === NO_PROBES ? null : samplingSchema.parse(JSON.parse(body.toString()));
}

/** Samples the probes of one lease, and reports while it lasts. A lost report is another round of the server. */
async function perform(sampling: ProbeSampling, work: SamplingAnswer): Promise<void> {
  const { log, limits, serverUrl, token } = sampling;
  const { id, fence, leaseMs } = work;
  const until = AbortSignal.timeout(leaseMs);
  try {
    const signal = AbortSignal.timeout(leaseMs * SAMPLED_PART);
    const [ofRequests, ofCommands] = await Promise.all([
      sendRequests(sampling, work, signal),
      runCommands(sampling.commands, work, signal),
    ]);
    const samples = [...ofRequests, ...ofCommands];
    const report: SamplingReport = { id, fence, token: work.token, samples };
    const send = () =>
      sendOnce(serverUrl, {
        method: "POST",
        path: "verifications/report",
        token,
        body: JSON.stringify(report),
        contentType: "application/json",
        timeoutMs: limits.requestMs,
        signal: until,
      });
    await retryUntilAnswered(send, { backOff: new BackOff(limits), signal: until, log });
    log.debug({ verificationId: id, targets: samples.length }, "Probes were sampled");
  } catch (error) {
    log.warn({ verificationId: id, err: error }, "The samples of probes were not reported");
  }
}

/** Sends the requests in a row that begins elsewhere each time: a slow pace leaves out others. */
async function sendRequests(
  { prober }: ProbeSampling,
  { requests, tries, fence }: SamplingAnswer,
  signal: AbortSignal,
): Promise<ReportedSamples[]> {
  const first = requests.length === 0 ? 0 : (fence * Math.ceil(requests.length / 2)) % requests.length;
  const turned = [...requests.slice(first), ...requests.slice(0, first)];
  const sampled = await Promise.all(
    turned.map(async ({ request, ...key }): Promise<ReportedSamples> => {
      return { ...key, samples: await sampleOne({ prober, tries }, request, signal) };
    }),
  );
  return sampled.filter(({ samples }) => samples.length > 0);
}

/** Tries a target until it answers well, as often as it may. What the time did not reach is left out. */
async function sampleOne(
  { prober, tries }: { prober: Pick<Prober, "probe">; tries: number },
  request: SampleRequest["request"],
  signal: AbortSignal,
): Promise<ProbeSample[]> {
  const samples: ProbeSample[] = [];
  try {
    while (samples.length < tries && samples.at(-1)?.ok !== true) {
      samples.push(await prober.probe(request, signal));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return samples;
}
