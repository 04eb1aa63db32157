// A runner without an engine, in a process of its own so that it can be killed: it goes through the legs of whatever it
// is given, fails now and then, and says everything again that it got no answer to, to whichever server there is.
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Job } from "../../src/ingestion/wire.ts";
import { claimAnswer, FakeJob, fakePlan, type MessageBody, type ProtocolAnswer } from "./fake-runner.ts";
import { createRandom } from "./random.ts";

const [token = "", seed = "0", slots = "1", ...urls] = process.argv.slice(2);
const random = createRandom(Number(seed));
const RETRY_MS = 100;
const WAIT_MS = 5_000;
const REFUSED = 400;
const BROKEN = 500;

/** The server does not want this job to be worked on any more. */
class JobEnded extends Error {}

/** Asks one server after another until one answers. */
async function insist(ask: (url: string) => Promise<ProtocolAnswer>): Promise<ProtocolAnswer> {
  for (;;) {
    const answer = await ask(random.pick(urls) ?? "").catch(() => null);
    if (answer !== null && answer.status < BROKEN) return answer;
    await pause(RETRY_MS);
  }
}

async function must(job: FakeJob, ask: () => Promise<ProtocolAnswer>): Promise<ProtocolAnswer> {
  const answer = await insist((url) => {
    job.url = url;
    return ask();
  });
  if (answer.status >= REFUSED) throw new JobEnded(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Says something; now and then twice, as where the first answer was lost. */
async function say(job: FakeJob, body: MessageBody): Promise<ProtocolAnswer> {
  const sequence = ++job.sequence;
  if (random.chance(0.05)) await must(job, () => job.message(body, sequence));
  return must(job, () => job.message(body, sequence));
}

async function fail(job: FakeJob, code: "PLAN_FAILED" | "APPLY_FAILED"): Promise<void> {
  await say(job, { type: "failed", failure: { code, summary: "It failed.", message: "", evidence: [] } });
}

async function plan(job: FakeJob): Promise<Job | undefined> {
  await say(job, { type: "prepared" });
  await say(job, { type: "initialized" });
  await pause(random.below(20));
  const { cancelRequested } = random.chance(0.3)
    ? (await must(job, () => job.heartbeat())).body
    : { cancelRequested: false };
  if (cancelRequested) await say(job, { type: "stopped" });
  else if (random.chance(0.05)) await fail(job, "PLAN_FAILED");
  else {
    await must(job, () => job.request("PUT", "archive", Buffer.from("archive")));
    const planned = fakePlan({ stateSerial: job.job.stateSerial, hasChanges: random.chance(0.7) });
    return (await say(job, { type: "planned", plan: planned })).body.next;
  }
  return undefined;
}

async function apply(job: FakeJob): Promise<void> {
  await say(job, { type: "prepared" });
  await pause(random.below(20));
  if (random.chance(0.5)) await save(job);
  if (random.chance(0.05)) await fail(job, "APPLY_FAILED");
  else await say(job, { type: "applied", appliedAddresses: [] });
}

async function save(job: FakeJob): Promise<void> {
  await must(job, () => job.lockState(job.job.id));
  const state = { version: 4, serial: job.job.stateSerial + 1, lineage: "lineage", outputs: {} };
  await must(job, () => job.writeState(job.job.id, state));
  // Now and then the lock is left to the end of the lease.
  if (random.chance(0.8)) await must(job, () => job.unlockState(job.job.id));
}

async function work(given: Job): Promise<void> {
  const job = new FakeJob("", given);
  const beating = new AbortController();
  const beats = beat(job, beating.signal);
  try {
    const next = given.leg === "APPLY" || given.leg === "DESTROY" ? await apply(job) : await plan(job);
    if (next !== undefined) await work(next);
  } catch (error) {
    if (!(error instanceof JobEnded)) throw error;
  } finally {
    beating.abort();
    await beats;
  }
}

async function beat(job: FakeJob, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(job.job.heartbeatMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) await job.heartbeat().catch(() => undefined);
  }
}

async function slot(): Promise<never> {
  for (;;) {
    const claimId = randomUUID();
    const answer = await insist((url) => claimAnswer(url, token, claimId, WAIT_MS, `fake-${seed}`));
    if (answer.status === 200) await work(answer.body.job);
  }
}

await Promise.all(Array.from({ length: Number(slots) }, slot));
