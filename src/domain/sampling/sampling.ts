/** Gives the probes of verifications and of tests to runners that sample them, and takes what they found. */
import { instantAfter } from "../../model/kit/instant-after.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { RunnerCaller } from "../../model/people/permission.ts";
import { type PlannedProbe, planProbes } from "../../model/verification/probe-plan.ts";
import { changedProbeText } from "../../model/verification/required-probe.ts";
import { isNoWork, type SampleWork, workOfRunners } from "../../model/verification/sampling.ts";
import { VERIFICATION_LIMITS } from "../../model/workspace/verification-limits.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { takeProbeTest } from "../../persistence/verification/probe-test-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import {
  findDueSampling,
  leaseSamples,
  noteProbesOffered,
  offerSamples,
  type SamplingRunner,
} from "../../persistence/verification/sampling-store.ts";
import { type LockedVerification, lockVerification } from "../../persistence/verification/verification-store.ts";
import { recordContact, type RunnerReport } from "../job/record-contact.ts";
import type { Deps } from "../kit/deps.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { probeDigest } from "../kit/probe-digest.ts";
import { readWorkspaceProbes } from "../verification/workspace-probes.ts";
import { type CommandContext, readCommandContext } from "./command-context.ts";
import { type SamplesReport, takeSamples } from "./take-samples.ts";
import { samplesToken } from "./samples-token.ts";

/** An attempt of a runner to get probes. */
export interface SamplingClaim extends RunnerReport {
  /** Random; the same one gets the same probes again. */
  leaseId: string;
}

/** The probes of one verification, or of one test, that a runner samples once. */
export interface LeasedSamples extends SampleWork {
  id: string;
  fence: number;
  /** The report of the samples must have it. */
  token: string;
  /** The attempts at each target until one is good. */
  tries: number;
  /** `null` if there are no commands. */
  context: CommandContext | null;
}

/** `waitMs`: nothing is due; how long it is until something is, as far as that is known. */
export type SamplingOutcome = { samples: LeasedSamples } | { waitMs: number };

export interface Sampling {
  /** Throws JobError. */
  lease(caller: RunnerCaller, claim: SamplingClaim): Promise<SamplingOutcome>;
  /** Throws JOB_OVER if the probes are another runner's by now, or nothing samples them any more. */
  report(caller: RunnerCaller, report: SamplesReport): Promise<void>;
}

export function createSampling(deps: Deps): Sampling {
  return {
    lease: (caller, claim) => lease(deps, caller, claim),
    report: (_caller, report) => takeSamples(deps, report),
  };
}

const FIRST_FENCE = 1;
/** Verifications that one attempt may find without work, before it gives up. */
const MOST_SKIPPED = 20;

async function lease(deps: Deps, caller: RunnerCaller, claim: SamplingClaim): Promise<SamplingOutcome> {
  const runner = await recordContact(deps, caller, claim);
  if (runner.drainRequested || runner.cycled || claim.runner.draining) return { waitMs: LIMITS.streamPollMs };
  const now = deps.clock();
  await noteProbesOffered(deps.database, runner.id, now.toISOString());
  const test = await leaseTest(deps, runner, claim.leaseId);
  if (test !== null) return { samples: test };
  for (let skipped = 0; skipped < MOST_SKIPPED; skipped++) {
    const due = await findDueSampling(deps.database, runner, claim.leaseId);
    const waitMs = due === null ? LIMITS.streamPollMs : Date.parse(due.dueAt) - now.getTime();
    if (due === null || waitMs > 0) return { waitMs };
    const samples = await take(deps, due.runId, claim.leaseId);
    if (samples !== null) return { samples };
  }
  return { waitMs: LIMITS.streamPollMs };
}

/** Leases a test of a probe, which a person waits for. Each has one lease, so its fence is always the first. */
async function leaseTest(deps: Deps, runner: SamplingRunner, leaseId: string): Promise<LeasedSamples | null> {
  const at = deps.clock().toISOString();
  const test = await deps.database.statement((statement) =>
    takeProbeTest(statement, deps.cipher, runner, { leaseId, at }),
  );
  if (test === null) return null;
  const { id, requests } = test;
  const token = samplesToken(deps, { id, fence: FIRST_FENCE });
  return { id, fence: FIRST_FENCE, token, tries: 1, requests, commands: [], context: null };
}

/** Leases the verification of a run, with its work; `null` if another runner has it by now, or there is no work. */
async function take(deps: Deps, runId: string, leaseId: string): Promise<LeasedSamples | null> {
  const run = await findRun(deps.database, runId);
  if (run === null) return null;
  const { probes, values } = await readWorkspaceProbes(deps, run);
  const leased = await deps.database.transaction((tx) =>
    leaseDue(tx, deps, {
      runId,
      leaseId,
      isChanged: ({ requiredProbes }) => changedProbeText(requiredProbes, probes, probeDigest(deps)) !== null,
      plan: (verification, isDestroy) =>
        planProbes(probes, values, verification, { expectGone: isDestroy && verification.startedAt !== null }),
    }),
  );
  if (leased === null) return null;
  const { verification, fence, work } = leased;
  const context = work.commands.length === 0 ? null : await readCommandContext(deps, run, values.outputs);
  const { id, status } = verification;
  const tries = status === "PENDING" ? VERIFICATION_LIMITS.baselineTries : 1;
  return { id, fence, token: samplesToken(deps, { id, fence }), tries, ...work, context };
}

interface Leasing {
  runId: string;
  leaseId: string;
  /** Whether a required probe is another one than at the start. */
  isChanged: (verification: LockedVerification) => boolean;
  plan: (verification: LockedVerification, isDestroy: boolean) => PlannedProbe[];
}

async function leaseDue(
  tx: Transaction,
  deps: Deps,
  { runId, leaseId, isChanged, plan }: Leasing,
): Promise<{ verification: LockedVerification; fence: number; work: SampleWork } | null> {
  const locked = await lockForChange(tx, deps, runId);
  const verification = await lockVerification(tx, runId);
  if (locked === null || verification === null) return null;
  const now = deps.clock();
  const at = now.toISOString();
  const { dueAt, leaseId: by, leaseUntil, fence } = verification.samples;
  const isLeased = leaseUntil !== null && leaseUntil > at;
  const isMine = isLeased && by === leaseId;
  if (dueAt === null || dueAt > at || (isLeased && !isMine)) return null;
  if (isChanged(verification)) {
    // A server judges it in its next round.
    await offerSamples(tx, verification.id, instantAfter(at, verification.settings.intervalSeconds * 1000));
    return null;
  }
  const planned = plan(verification, locked.run.kind === "DESTROY");
  const work = workOfRunners(planned, verification.status);
  if (isNoWork(work) || isOver(verification, at)) {
    await offerSamples(tx, verification.id, null);
    return null;
  }
  if (isMine) return { verification, fence, work };
  const until = new Date(now.getTime() + VERIFICATION_LIMITS.leaseMs).toISOString();
  const probes = planned.map(({ progress }) => progress);
  return { verification, fence: await leaseSamples(tx, verification.id, { leaseId, until, probes }), work };
}

/** Whether its window has ended: what is found now does not count. */
function isOver({ endsAt }: LockedVerification, at: string): boolean {
  return endsAt !== null && at >= endsAt;
}
