/** The counters of one target of a probe: from its samples to whether it is up. Pure. */
import type { ProbeFailure, ProbeSample } from "../probe/probe-sample.ts";
import { HEALTH_LIMITS } from "./health-limits.ts";
import type { RuntimeHealth } from "./runtime-health.ts";

export const TARGET_STANDINGS = ["UNKNOWN", "UP", "DOWN"] as const;
export type TargetStanding = (typeof TARGET_STANDINGS)[number];

/**
 * The state of a target. Counters stop at the highest number that decides something, so the state of a target whose samples do
 * not change is constant: it costs no write.
 */
export interface TargetState {
  standing: TargetStanding;
  /** Samples with a result. */
  samples: number;
  badInARow: number;
  goodInARow: number;
  /** Samples without a result: the prober could find out nothing. */
  blindInARow: number;
  slowInARow: number;
  fastInARow: number;
  /** Samples in a row after which a change was neither confirmed nor dismissed. */
  openInARow: number;
  slow: boolean;
  certificateEnds: boolean;
  /** The failure of the last sample; `null` if it was good. */
  failure: ProbeFailure | null;
  /** The reason of the first sample with that failure. */
  reason: string | null;
}

export const NEW_TARGET: TargetState = {
  standing: "UNKNOWN",
  samples: 0,
  badInARow: 0,
  goodInARow: 0,
  blindInARow: 0,
  slowInARow: 0,
  fastInARow: 0,
  openInARow: 0,
  slow: false,
  certificateEnds: false,
  failure: null,
  reason: null,
};

/** The part of a sample that counts. */
export type CountedSample = Pick<ProbeSample, "ok" | "failure" | "reason">;

/** GOOD: the target works, perhaps not well. BLIND: nothing was found out about it. */
export function gradeOf({ ok, failure }: Pick<ProbeSample, "ok" | "failure">): "GOOD" | "BAD" | "BLIND" {
  if (ok || failure === "LATENCY" || failure === "CERTIFICATE_ENDS") return "GOOD";
  // A prober that may not connect, or has nothing to connect to, knows nothing about the target.
  return failure === "UNRESOLVED" || failure === "NO_PROBER" || failure === "ADDRESS_REFUSED" ? "BLIND" : "BAD";
}

/** Adds a sample. */
export function withTargetSample(state: TargetState, sample: CountedSample): TargetState {
  const { failure, reason } = sample;
  // The texts of two equal failures may differ in a number: the first one stays, so that nothing has to be written.
  const shown = { failure, reason: failure === state.failure ? state.reason : reason };
  const next = STEPS[gradeOf(sample)]({ ...state, ...shown });
  if (!isDeciding(next)) return { ...next, openInARow: 0 };
  // After one change another may begin: a target that is up again may be slow.
  const isConfirmed = next.standing !== state.standing && next.samples >= minSamples;
  const before = isConfirmed ? 0 : state.openInARow;
  return { ...next, openInARow: counted(before, HEALTH_LIMITS.quickChecks + 1) };
}

const STEPS = { BLIND: blind, BAD: bad, GOOD: good } as const;

const { failAfter, recoverAfter, slowAfter, minSamples, backOffAfter } = HEALTH_LIMITS;

function counted(count: number, most: number): number {
  return Math.min(count + 1, most);
}

function blind(state: TargetState): TargetState {
  const blindInARow = counted(state.blindInARow, failAfter);
  if (blindInARow < failAfter) return { ...state, blindInARow };
  const { failure, reason } = state;
  return { ...NEW_TARGET, blindInARow, failure, reason };
}

function bad(state: TargetState): TargetState {
  const badInARow = counted(state.badInARow, backOffAfter);
  const seen = { ...state, badInARow, goodInARow: 0, blindInARow: 0, slowInARow: 0, fastInARow: 0 };
  const samples = counted(state.samples, minSamples);
  if (badInARow < failAfter) return { ...seen, samples };
  return { ...seen, samples, standing: "DOWN", slow: false, certificateEnds: false };
}

function good(state: TargetState): TargetState {
  const goodInARow = counted(state.goodInARow, recoverAfter);
  const samples = counted(state.samples, minSamples);
  const standing = goodInARow >= recoverAfter ? "UP" : state.standing;
  const certificateEnds = state.failure === "CERTIFICATE_ENDS";
  // The latency of a certificate that ends soon was not judged.
  const paced = certificateEnds ? state : { ...state, ...pace(state) };
  return { ...paced, standing, samples, goodInARow, badInARow: 0, blindInARow: 0, certificateEnds };
}

/** Returns the counters of latency after an answer. */
function pace(state: TargetState): Pick<TargetState, "slow" | "slowInARow" | "fastInARow"> {
  const { slow, slowInARow, fastInARow, failure } = state;
  if (failure === "LATENCY") {
    const count = counted(slowInARow, slowAfter);
    return { slow: slow || count >= slowAfter, slowInARow: count, fastInARow: 0 };
  }
  const count = counted(fastInARow, recoverAfter);
  return { slow: slow && count < recoverAfter, slowInARow: 0, fastInARow: count };
}

/** Forgets what points to a change. Samples of the time in which a run changed the target count for nothing. */
export function withoutTrend(state: TargetState): TargetState {
  const { standing, slow } = state;
  const kept = { ...state, blindInARow: 0, openInARow: 0 };
  const paced = slow ? { ...kept, fastInARow: 0 } : { ...kept, slowInARow: 0 };
  if (standing === "UNKNOWN") return { ...NEW_TARGET, failure: state.failure, reason: state.reason };
  return standing === "UP" ? { ...paced, badInARow: 0 } : { ...paced, goodInARow: 0 };
}

export function isSameState(a: TargetState, b: TargetState): boolean {
  return (
    a.standing === b.standing &&
    a.samples === b.samples &&
    a.badInARow === b.badInARow &&
    a.goodInARow === b.goodInARow &&
    a.blindInARow === b.blindInARow &&
    a.slowInARow === b.slowInARow &&
    a.fastInARow === b.fastInARow &&
    a.openInARow === b.openInARow &&
    a.slow === b.slow &&
    a.certificateEnds === b.certificateEnds &&
    a.failure === b.failure &&
    a.reason === b.reason
  );
}

/** Returns the health of a target by its state. */
export function statusOfTarget({ standing, samples, slow, certificateEnds }: TargetState): RuntimeHealth {
  if (standing === "DOWN") return "UNREACHABLE";
  if (standing === "UNKNOWN" || samples < minSamples) return "UNKNOWN";
  return slow || certificateEnds ? "DEGRADED" : "HEALTHY";
}

/** Returns why a target is not HEALTHY; `null` if it is. */
export function reasonOfTarget(state: TargetState): string | null {
  switch (statusOfTarget(state)) {
    case "HEALTHY":
      return null;
    case "UNREACHABLE":
      return state.reason ?? "It did not answer well.";
    case "DEGRADED":
      return state.reason ?? (state.slow ? "It was slow lately." : "Its certificate ends soon.");
    case "UNKNOWN":
      return state.reason ?? "It has too few results so far.";
  }
}

/** Whether the next sample may confirm a change, or is one of the first. */
function isDeciding({ standing, samples, badInARow, goodInARow, slow, slowInARow, fastInARow }: TargetState): boolean {
  if (samples > 0 && samples < minSamples) return true;
  switch (standing) {
    case "UNKNOWN":
      return false;
    case "DOWN":
      return goodInARow > 0;
    case "UP":
      return badInARow > 0 || (slow ? fastInARow > 0 : slowInARow > 0);
  }
}

/** When a target is probed next: soon, to confirm a change; at its interval; or half as often, if it is down for long. */
export type NextSample = { type: "QUICK"; afterMs: number } | { type: "REGULAR"; intervalMs: number };

export function nextSample(state: TargetState, intervalMs: number): NextSample {
  const { quickMs, quickChecks } = HEALTH_LIMITS;
  const { openInARow } = state;
  if (openInARow > 0 && openInARow <= quickChecks && quickMs < intervalMs) return { type: "QUICK", afterMs: quickMs };
  const isBackedOff = state.badInARow >= backOffAfter;
  return { type: "REGULAR", intervalMs: isBackedOff ? 2 * intervalMs : intervalMs };
}
