/** The verification of an apply: whether what was applied works. */
import type { ProbeSample } from "../probe/probe-sample.ts";
import { isInconclusive } from "../probe/probe-sample.ts";
import type { ProbeSource, ProbeWeight } from "../probe/probe.ts";
import { VERIFICATION_LIMITS } from "../workspace/verification-limits.ts";
import type { VerificationSettings } from "../workspace/verification-settings.ts";

/**
 * PENDING: the apply has not ended. RUNNING: probes are sent. INCONCLUSIVE: there is no result; a person may be asked.
 * SKIPPED: there was nothing to verify. CANCELED: the run ended before.
 */
export const VERIFICATION_STATUSES = [
  "PENDING",
  "RUNNING",
  "PASSED",
  "FAILED",
  "INCONCLUSIVE",
  "SKIPPED",
  "CANCELED",
] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

export interface Verification {
  id: string;
  runId: string;
  status: VerificationStatus;
  /** Those of the workspace when the run was approved. */
  settings: VerificationSettings;
  /** The result before the apply: whether all required probes passed; `null` if it is not known. */
  baselinePassed: boolean | null;
  probes: readonly ProbeProgress[];
  createdAt: string;
  /** When the apply ended; `null` before. */
  startedAt: string | null;
  /** The end of the window, or of the time for a judgement; `null` before the apply ended. */
  endsAt: string | null;
  finishedAt: string | null;
  /** Why it failed or is inconclusive; `null` otherwise. */
  reason: string | null;
  /** The person who judged it; `null` if none did. */
  concludedById: string | null;
  comment: string | null;
}

/** How far one target of a probe is. */
export interface ProbeProgress {
  name: string;
  /** The element of a list of targets, from 0. */
  target: number;
  weight: ProbeWeight;
  from: ProbeSource;
  /** The address with its templates filled in; `null` if it is not known. */
  resolvedTarget: string | null;
  attempts: number;
  /** Samples with a result for the target. */
  samples: number;
  passesInARow: number;
  failuresInARow: number;
  /** When a sample last had a result for the target; `null` if none had. */
  sampledAt: string | null;
  /** The last attempt could not find out anything. */
  unknown: boolean;
  /** The last failure, also if it passes by now; `null` if there was none. */
  lastFailure: string | null;
  /** Whether it passed before the apply; `null` if that is not known. */
  baseline: boolean | null;
  /** The result cannot change any more, so that one attempt is enough. Absent: it can. */
  final?: boolean;
}

export function newProgress(
  probe: Pick<ProbeProgress, "name" | "target" | "weight" | "from" | "resolvedTarget">,
): ProbeProgress {
  const { name, target, weight, from, resolvedTarget } = probe;
  const none = { attempts: 0, samples: 0, passesInARow: 0, failuresInARow: 0, sampledAt: null } as const;
  return { name, target, weight, from, resolvedTarget, ...none, unknown: false, lastFailure: null, baseline: null };
}

/** How long the result of a sample counts. */
function freshMs({ intervalSeconds }: Pick<VerificationSettings, "intervalSeconds">): number {
  const leastMs = VERIFICATION_LIMITS.freshIntervals * VERIFICATION_LIMITS.leastFreshIntervalMs;
  return Math.max(intervalSeconds * 1000 * VERIFICATION_LIMITS.freshIntervals, leastMs);
}

/** Whether the last sample is so young that its result counts at an instant. */
export function isFresh(
  sampledAt: string | null,
  settings: Pick<VerificationSettings, "intervalSeconds">,
  at: string,
): boolean {
  return sampledAt !== null && Date.parse(at) - Date.parse(sampledAt) <= freshMs(settings);
}

/** One round of probes. */
export interface ProbeRound {
  at: string;
  settings: Pick<VerificationSettings, "intervalSeconds">;
  /** The target must not answer well. */
  expectGone: boolean;
}

/** Adds the result of one attempt. Passes before a time without a prober are not in a row with those after it. */
export function withSample(
  progress: ProbeProgress,
  sample: Pick<ProbeSample, "ok" | "failure" | "reason">,
  { at, settings, expectGone }: ProbeRound,
): ProbeProgress {
  const attempts = progress.attempts + 1;
  if (isInconclusive(sample.failure)) {
    // Nothing was found out: it does not count as a failure, and not as a pass.
    return { ...progress, attempts, passesInARow: 0, unknown: true, lastFailure: sample.reason };
  }
  const known = { ...progress, attempts, samples: progress.samples + 1, sampledAt: at, unknown: false };
  if (sample.ok !== expectGone) {
    const inARow = isFresh(progress.sampledAt, settings, at) ? progress.passesInARow : 0;
    return { ...known, passesInARow: inARow + 1, failuresInARow: 0 };
  }
  const lastFailure = expectGone ? "The target still answers." : sample.reason;
  return { ...known, passesInARow: 0, failuresInARow: progress.failuresInARow + 1, lastFailure };
}
