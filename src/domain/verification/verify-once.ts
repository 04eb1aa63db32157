/** Makes one round of a verification: the probes of its server, then the decision. */
import { instantAfter } from "../../model/kit/instant-after.ts";
import { isTerminal, isVerifying } from "../../model/lifecycle/run-status.ts";
import { failedSample, passedSample, type ProbeSample } from "../../model/probe/probe-sample.ts";
import type { CheckReport } from "../../model/plan/check-block.ts";
import type { ProbeRequest } from "../../model/probe/probe-request.ts";
import type { Prober } from "../../model/probe/prober.ts";
import type { CheckAnswer } from "../../model/verification/judge-verification.ts";
import {
  baselineOf,
  type PlannedProbe,
  planProbes,
  sampleOfChecks,
  unresolvedSample,
  withBaseline,
  withSamples,
} from "../../model/verification/probe-plan.ts";
import { changedProbeText } from "../../model/verification/required-probe.ts";
import { isNewForRunners, isNoWork, workOfRunners } from "../../model/verification/sampling.ts";
import type { ProbeProgress, Verification } from "../../model/verification/verification.ts";
import { VERIFICATION_LIMITS } from "../../model/workspace/verification-limits.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { offerSamples } from "../../persistence/verification/sampling-store.ts";
import {
  type LeasedVerification,
  type LockedVerification,
  lockVerification,
  updateVerification,
} from "../../persistence/verification/verification-store.ts";
import type { Deps } from "../kit/deps.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { probeDigest } from "../kit/probe-digest.ts";
import { isStandingChanged, judgeProgress, readCheckAnswers } from "./judge-progress.ts";
import { type KnownHealth, readKnownHealth } from "./known-health.ts";
import { proposeRollback } from "./propose-rollback.ts";
import { readWorkspaceProbes } from "./workspace-probes.ts";
import { recordVerification, settleVerification } from "./settle-verification.ts";

interface Round {
  locked: LockedRun;
  verification: LockedVerification;
}

/** Makes the step that is due. A server that has lost its lease changes nothing. */
export async function verifyOnce(deps: Deps, leased: LeasedVerification, signal: AbortSignal): Promise<void> {
  if (leased.rollbackTo !== null) return proposeRollback(deps, leased, leased.rollbackTo);
  const round = await deps.database.transaction((tx) => beginRound(tx, deps, leased));
  if (round === null) return;
  const { verification, locked } = round;
  const expectGone = locked.run.kind === "DESTROY";
  const isApplied = verification.startedAt !== null;
  const { probes, values, checks } = await readWorkspaceProbes(deps, locked.run);
  const changedProbe = changedProbeText(verification.requiredProbes, probes, probeDigest(deps));
  if (changedProbe !== null) {
    await deps.database.transaction((tx) => recordChange(tx, deps, leased, changedProbe));
    return;
  }
  const planned = planProbes(probes, values, verification, {
    expectGone: expectGone && isApplied,
  });
  if (!isApplied) {
    const known = await readKnownHealth(deps.database, locked.run);
    const tries = VERIFICATION_LIMITS.baselineTries;
    const samples = await sendAll(deps.prober, planned, { tries, checks, signal, known });
    await deps.database.transaction((tx) => recordBaseline(tx, deps, leased, planned, samples));
    return;
  }
  const sent = await sendAll(deps.prober, planned, { tries: 1, checks, signal });
  const samples = sent.map(([sample = null]) => sample);
  await deps.database.transaction((tx) => recordRound(tx, deps, leased, planned, samples));
}

/** Returns what is to be probed; `null` if nothing is, because the verification ended or its time is over. */
async function beginRound(tx: Transaction, deps: Deps, leased: LeasedVerification): Promise<Round | null> {
  const round = await lockRound(tx, deps, leased);
  if (round === null) return null;
  const { locked, verification } = round;
  const at = deps.clock().toISOString();
  if (verification.status === "PENDING") return beforeApply(tx, round, at);
  if (verification.endsAt === null || at < verification.endsAt) return round;
  if (verification.status === "INCONCLUSIVE") {
    const reason = `No one judged it within ${VERIFICATION_LIMITS.judgementMs / 3_600_000} h. ${verification.reason ?? ""}`;
    const settings = { ...verification.settings, onInconclusive: "FAIL" } as const;
    const unjudged = { verdict: "INCONCLUSIVE", reason: reason.trim() } as const;
    await settleVerification(tx, deps, locked, { ...verification, settings }, unjudged);
    return null;
  }
  // Samples after the window do not count.
  await decide(tx, deps, round, verification.probes);
  return null;
}

/** Takes the baseline once. Later it ends a verification whose run has ended although nothing verifies it any more. */
async function beforeApply(tx: Transaction, round: Round, at: string): Promise<Round | null> {
  const { locked, verification } = round;
  if (isTerminal(locked.run.status)) {
    await updateVerification(tx, { ...verification, status: "CANCELED", finishedAt: at }, null);
    tx.announce(`run:${locked.run.id}`);
    return null;
  }
  if (verification.probes.length === 0) return round;
  await updateVerification(tx, verification, instantAfter(at, VERIFICATION_LIMITS.pendingLookMs));
  return null;
}

/** Locks the run and its verification; `null` if the lease is another server's, or the verification has ended. */
async function lockRound(tx: Transaction, deps: Deps, { runId, fence }: LeasedVerification): Promise<Round | null> {
  const locked = await lockForChange(tx, deps, runId);
  const verification = await lockVerification(tx, runId);
  if (verification === null || verification.fence !== fence || verification.finishedAt !== null) return null;
  if (locked === null) {
    const canceled = { ...verification, status: "CANCELED", finishedAt: deps.clock().toISOString() } as const;
    await updateVerification(tx, canceled, null);
    return null;
  }
  return { locked, verification };
}

interface Sending {
  tries: number;
  checks: CheckReport | null;
  signal: AbortSignal;
  /** The results that are known without sending anything. */
  known?: KnownHealth;
}

/** Sends each probe of the server, until it passes or was tried often enough. */
function sendAll(
  prober: Prober,
  planned: readonly PlannedProbe[],
  { tries, checks, signal, known }: Sending,
): Promise<ProbeSample[][]> {
  const limit = AbortSignal.timeout(VERIFICATION_LIMITS.roundMs);
  return Promise.all(
    planned.map(async (one) => {
      const { probe, progress, request, unresolved } = one;
      if (probe.kind === "CHECKS") return [sampleOfChecks(checks)];
      if (unresolved !== null) return [unresolvedSample(unresolved)];
      const sample = known?.(one) ?? null;
      if (sample !== null) return [sample];
      if (request === null || progress.from !== "SERVER") return [];
      const samples: ProbeSample[] = [];
      for (let tried = 0; tried < tries && samples.at(-1)?.ok !== true; tried++) {
        samples.push(await sendOne(prober, request, limit, signal));
      }
      return samples;
    }),
  );
}

/** Sends a probe, which must end within the round. */
async function sendOne(
  prober: Prober,
  request: ProbeRequest,
  limit: AbortSignal,
  signal: AbortSignal,
): Promise<ProbeSample> {
  try {
    return await prober.probe(request, AbortSignal.any([limit, signal]));
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error;
    return failedSample("TIMEOUT", `It did not answer within ${VERIFICATION_LIMITS.roundMs / 1000} s.`);
  }
}

async function recordBaseline(
  tx: Transaction,
  deps: Deps,
  leased: LeasedVerification,
  planned: readonly PlannedProbe[],
  samples: readonly ProbeSample[][],
): Promise<void> {
  const round = await lockRound(tx, deps, leased);
  if (round === null) return;
  const { verification, locked } = round;
  // The apply has ended meanwhile: what was seen need not be the state before it.
  if (verification.status !== "PENDING") return updateVerification(tx, verification, verification.dueAt);
  const probes = planned.map(({ progress }, index) => withBaseline(progress, samples[index] ?? []));
  const at = deps.clock().toISOString();
  const dueAt = instantAfter(at, VERIFICATION_LIMITS.pendingLookMs);
  await updateVerification(tx, { ...verification, baselinePassed: baselineOf(probes), probes }, dueAt);
  if (!isNoWork(workOfRunners(planned, "PENDING"))) await offerSamples(tx, verification.id, at);
  tx.announce(`run:${locked.run.id}`);
}

async function recordRound(
  tx: Transaction,
  deps: Deps,
  leased: LeasedVerification,
  planned: readonly PlannedProbe[],
  samples: readonly (ProbeSample | null)[],
): Promise<void> {
  const round = await lockRound(tx, deps, leased);
  if (round === null) return;
  const { verification, locked } = round;
  // A runner has reported what decided it meanwhile: a person is asked.
  if (verification.status !== "RUNNING") return updateVerification(tx, verification, verification.dueAt);
  const at = deps.clock().toISOString();
  const checks = await readCheckAnswers(tx, locked.run);
  const all = planned.map((one, index) => samples[index] ?? sampleOfCheck(one, checks));
  // Probes that were added since its start.
  if (verification.samples.dueAt === null && isNewForRunners(planned)) await offerSamples(tx, verification.id, at);
  const about = { at, settings: verification.settings, expectGone: locked.run.kind === "DESTROY" };
  await decide(tx, deps, round, withSamples(planned, all, about, verification));
}

/** Judges the results from before a required probe was changed. No probe is sent. */
async function recordChange(
  tx: Transaction,
  deps: Deps,
  leased: LeasedVerification,
  changedProbe: string,
): Promise<void> {
  const round = await lockRound(tx, deps, leased);
  if (round === null) return;
  const { verification } = round;
  // A person is asked already.
  if (verification.status !== "RUNNING") return updateVerification(tx, verification, verification.dueAt);
  await decide(tx, deps, round, verification.probes, changedProbe);
}

/** Returns the sample of a probe that names an external check; `null` if the check has not ended. */
function sampleOfCheck({ probe }: PlannedProbe, checks: readonly CheckAnswer[]): ProbeSample | null {
  if (probe.kind !== "EXTERNAL") return null;
  const answer = checks.find(({ name }) => name === probe.target);
  if (answer === undefined) return unresolvedSample(`There is no result of a check "${probe.target}" of POST_APPLY.`);
  if (answer.open) return null;
  if (answer.failure === null) return passedSample(0);
  return failedSample("EXTERNAL", answer.message ?? "The check failed.");
}

/** Judges the progress, and ends the verification or makes its next round due. */
async function decide(
  tx: Transaction,
  deps: Deps,
  { locked, verification }: Round,
  probes: readonly ProbeProgress[],
  changedProbe: string | null = null,
): Promise<void> {
  const { settings, endsAt } = verification;
  if (!isVerifying(locked.run.status) || endsAt === null) return;
  const at = deps.clock().toISOString();
  const verdict = await judgeProgress(tx, { run: locked.run, settings, probes, at, endsAt, changedProbe });
  const judged: Verification = { ...verification, probes };
  if (verdict.verdict !== "CONTINUE") return settleVerification(tx, deps, locked, judged, verdict);
  const nextMs = Date.parse(at) + settings.intervalSeconds * 1000;
  // The window may end before; after it only checks are awaited, whose answers make it due at once.
  const dueMs = at < endsAt ? Math.min(nextMs, Date.parse(endsAt)) : nextMs;
  await updateVerification(tx, judged, new Date(dueMs).toISOString());
  if (isStandingChanged(verification.probes, probes)) await recordVerification(tx, deps, locked.run, verification);
}
