/** Tests of probes that a runner of the workspace sends, from its network. */
import { PROBE_LIMITS } from "../../model/probe/probe-limits.ts";
import type { ProbeTarget } from "../../model/probe/probe-request.ts";
import { failedSample, type ProbeSample } from "../../model/probe/probe-sample.ts";
import type { ReportedSamples } from "../../model/verification/sampling.ts";
import {
  deleteProbeTest,
  findProbeTestAnswer,
  insertProbeTest,
} from "../../persistence/verification/probe-test-store.ts";
import type { Deps } from "../kit/deps.ts";
import { pollAnswer } from "../kit/poll-answer.ts";
import { findMissingProber } from "./missing-prober.ts";

export interface RunnerTest {
  workspaceId: string;
  /** The name of the probe. */
  name: string;
  targets: readonly ProbeTarget[];
}

const SECONDS = PROBE_LIMITS.runnerTestMs / 1000;
const MOST_POLLS = PROBE_LIMITS.runnerTestMs / PROBE_LIMITS.runnerTestPollMs;
const LATE = `No runner has sent the probe within ${SECONDS} s. Try again.`;
const LEFT_OUT = "The runner did not come to this target in time.";

/** Lets a runner try each target once, and waits for its samples, in the order of the targets. */
export async function testByRunner(
  { cipher, clock, database, newId }: Pick<Deps, "cipher" | "clock" | "database" | "newId">,
  { workspaceId, name, targets }: RunnerTest,
): Promise<{ samples: ProbeSample[] } | { missing: string }> {
  const now = clock();
  const offeredAt = now.toISOString();
  const missing = await findMissingProber(database, workspaceId, offeredAt);
  if (missing !== null) return { missing };
  const id = newId("probeTest");
  const endsAt = new Date(now.getTime() + PROBE_LIMITS.runnerTestMs).toISOString();
  const requests = targets.map(({ number, address, request }) => {
    return { name, target: number, resolvedTarget: address, request };
  });
  await database.transaction((tx) => insertProbeTest(tx, cipher, { id, workspaceId, offeredAt, endsAt }, requests));
  try {
    const polling = { polls: MOST_POLLS, pollMs: PROBE_LIMITS.runnerTestPollMs, clock, endsAt };
    const reported = await pollAnswer(() => findProbeTestAnswer(database, id), polling);
    return reported === null ? { missing: LATE } : { samples: targets.map((target) => sampleOf(target, reported)) };
  } finally {
    await database.statement((statement) => deleteProbeTest(statement, id)).catch(() => undefined);
  }
}

function sampleOf({ number }: ProbeTarget, reported: readonly ReportedSamples[]): ProbeSample {
  const found = reported.find(({ target }) => target === number)?.samples.at(-1);
  return found ?? failedSample("NO_PROBER", LEFT_OUT);
}
