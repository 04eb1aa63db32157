/** The targets of a verification: which probe is sent where. Pure. */
import { isForVerification, isNetworkKind, type Probe } from "../probe/probe.ts";
import type { ProbeRequest } from "../probe/probe-request.ts";
import type { ProbeSample } from "../probe/probe-sample.ts";
import { failedSample, isInconclusive } from "../probe/probe-sample.ts";
import { type ProbeValues, resolveProbe } from "../probe/resolve-probe.ts";
import { newProgress, type ProbeProgress, type ProbeRound, type Verification, withSample } from "./verification.ts";

/** One target of a probe, or the reason for which it has none. */
export interface PlannedProbe {
  probe: Probe;
  progress: ProbeProgress;
  /** `null`: it is not sent over the network, or has no target. */
  request: ProbeRequest | null;
  /** Why it has no target; `null` if it has one. */
  unresolved: string | null;
}

/** Returns the targets of the probes of a workspace that are sent after an apply, with their progress so far. */
export function planProbes(
  probes: readonly Probe[],
  values: ProbeValues,
  { probes: before }: Pick<Verification, "probes">,
  { expectGone }: { expectGone: boolean },
): PlannedProbe[] {
  const known = new Map(before.map((progress) => [keyOf(progress), progress]));
  return probes.filter(isForVerification).flatMap((probe) => {
    const frozen = expectGone ? before.filter(({ name, resolvedTarget }) => name === probe.name && resolvedTarget) : [];
    const planned =
      frozen.length > 0
        ? // The outputs of what was destroyed are gone: its targets are those from before.
          frozen.flatMap((one) => plan({ ...probe, target: one.resolvedTarget ?? "" }, values, one.target))
        : plan(probe, values, 0);
    return planned.map((one) => ({ ...one, progress: known.get(keyOf(one.progress)) ?? one.progress }));
  });
}

/** Identifies a target among those of a verification. */
export function keyOf({
  name,
  target,
  resolvedTarget,
}: Pick<ProbeProgress, "name" | "target" | "resolvedTarget">): string {
  return JSON.stringify([name, target, resolvedTarget]);
}

function plan(probe: Probe, values: ProbeValues, first: number): PlannedProbe[] {
  const { name, weight, from, kind } = probe;
  if (!isNetworkKind(kind)) {
    const resolvedTarget = kind === "COMMAND" ? null : probe.target;
    const progress = newProgress({ name, weight, from, target: 0, resolvedTarget });
    return [{ probe, progress, request: null, unresolved: null }];
  }
  const { targets, unresolved } = resolveProbe(probe, values);
  if (unresolved !== null) {
    const progress = newProgress({ name, weight, from, target: first, resolvedTarget: null });
    return [{ probe, progress, request: null, unresolved }];
  }
  return targets.map(({ number, address, request }) => ({
    probe,
    progress: newProgress({ name, weight, from, target: first + number, resolvedTarget: address }),
    request,
    unresolved: null,
  }));
}

/** Returns the sample of a target that is not known. */
export function unresolvedSample(reason: string): ProbeSample {
  return failedSample("UNRESOLVED", reason);
}

/** Adds the samples of a target before the apply, of which one must be good. */
export function withBaseline(progress: ProbeProgress, samples: readonly ProbeSample[]): ProbeProgress {
  return samples.length === 0 ? progress : { ...progress, baseline: resultOf(samples) };
}

/** Whether the required probes passed before the apply; `null` if nothing is known about one of them. */
export function baselineOf(probes: readonly Pick<ProbeProgress, "weight" | "baseline">[]): boolean | null {
  const required = probes.filter(({ weight }) => weight === "REQUIRED");
  if (required.length === 0) return null;
  const known = required.map(({ baseline }) => baseline);
  if (known.includes(false)) return false;
  return known.includes(null) ? null : true;
}

function resultOf(samples: readonly ProbeSample[]): boolean | null {
  if (samples.some(({ ok }) => ok)) return true;
  return samples.every(({ failure }) => isInconclusive(failure)) ? null : false;
}

/**
 * Adds the samples of one round to the progress as it is now: others may have reported meanwhile. Progress of targets that
 * are gone is dropped.
 */
export function withSamples(
  planned: readonly PlannedProbe[],
  samples: readonly (ProbeSample | null)[],
  round: ProbeRound,
  { probes: now }: Pick<Verification, "probes">,
): ProbeProgress[] {
  const known = new Map(now.map((progress) => [keyOf(progress), progress]));
  return planned.map(({ progress: first }, index) => {
    const progress = known.get(keyOf(first)) ?? first;
    const sample = samples[index] ?? null;
    return sample === null ? progress : withSample(progress, sample, round);
  });
}
