/** Takes the samples of a runner into the progress of a verification, or as the answer to a test. */
import { idKind } from "../../model/kit/id.ts";
import { instantAfter } from "../../model/kit/instant-after.ts";
import { isVerifying } from "../../model/lifecycle/run-status.ts";
import { baselineOf } from "../../model/verification/probe-plan.ts";
import { type ReportedSamples, withReported, withReportedBaseline } from "../../model/verification/sampling.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { answerProbeTest } from "../../persistence/verification/probe-test-store.ts";
import { findRunOfVerification, offerSamples, recordSamples } from "../../persistence/verification/sampling-store.ts";
import { type LockedVerification, lockVerification } from "../../persistence/verification/verification-store.ts";
import { JobError } from "../job/job-error.ts";
import type { Deps } from "../kit/deps.ts";
import { isEqualText } from "../kit/equal-text.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { isStandingChanged, judgeProgress } from "../verification/judge-progress.ts";
import { recordVerification, settleVerification } from "../verification/settle-verification.ts";
import { samplesToken } from "./samples-token.ts";

/** The samples of one lease, as its runner reports them. */
export interface SamplesReport {
  id: string;
  fence: number;
  token: string;
  samples: readonly ReportedSamples[];
}

/** Takes the samples of a lease, once and while it lasts. Their time is that of the server. */
export async function takeSamples(deps: Deps, { id, fence, token, samples }: SamplesReport): Promise<void> {
  // Without the token of the lease there is nothing to learn about the verification.
  const isTrue = isEqualText(token, samplesToken(deps, { id, fence }));
  if (isTrue && idKind(id) === "probeTest") return takeTest(deps, id, samples);
  const runId = isTrue ? await findRunOfVerification(deps.database, id) : null;
  if (runId === null) throw samplesOver();
  await deps.database.transaction(async (tx) => {
    const locked = await lockForChange(tx, deps, runId);
    const verification = await lockVerification(tx, runId);
    const at = deps.clock().toISOString();
    if (locked === null || verification === null || !hasLease(verification, fence, at)) throw samplesOver();
    if (verification.status === "PENDING") return takeBaseline(tx, locked, verification, samples);
    await takeRound(tx, deps, { locked, verification, samples, at });
  });
}

async function takeTest(deps: Deps, id: string, samples: readonly ReportedSamples[]): Promise<void> {
  const at = deps.clock().toISOString();
  const isTaken = await deps.database.statement((statement) => answerProbeTest(statement, id, samples, at));
  if (!isTaken) throw samplesOver();
}

function hasLease({ samples }: LockedVerification, fence: number, at: string): boolean {
  return samples.fence === fence && samples.leaseUntil !== null && samples.leaseUntil > at;
}

function samplesOver(): JobError {
  return new JobError("JOB_OVER", "The probes are another runner's, or nothing waits for their samples: forget them.");
}

async function takeBaseline(
  tx: Transaction,
  { run }: LockedRun,
  { id, probes: before }: LockedVerification,
  samples: readonly ReportedSamples[],
): Promise<void> {
  const probes = withReportedBaseline(before, samples);
  await recordSamples(tx, id, { probes, baselinePassed: baselineOf(probes) });
  await offerSamples(tx, id, null);
  tx.announce(`run:${run.id}`);
}

interface Round {
  locked: LockedRun;
  verification: LockedVerification;
  samples: readonly ReportedSamples[];
  at: string;
}

async function takeRound(tx: Transaction, deps: Deps, { locked, verification, samples, at }: Round): Promise<void> {
  const { id, settings, endsAt, baselinePassed } = verification;
  const { run } = locked;
  // Samples after the window do not count: a server judges what was found before.
  if (!isVerifying(run.status) || endsAt === null || at >= endsAt) return offerSamples(tx, id, null);
  const round = { at, settings, expectGone: run.kind === "DESTROY" };
  const probes = withReported(verification.probes, samples, round);
  const verdict = await judgeProgress(tx, { run, settings, probes, at, endsAt, changedProbe: null });
  if (verdict.verdict !== "CONTINUE") return settleVerification(tx, deps, locked, { ...verification, probes }, verdict);
  await recordSamples(tx, id, { probes, baselinePassed });
  const next = instantAfter(at, settings.intervalSeconds * 1000);
  await offerSamples(tx, id, next < endsAt ? next : null);
  if (isStandingChanged(verification.probes, probes)) await recordVerification(tx, deps, run, verification);
}
