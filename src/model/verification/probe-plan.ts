/** The targets of a verification: which probe is sent where. Pure. */
import { type CheckReport, checkProblem, isFailed } from "../plan/check-block.ts";
import { isForVerification, isNetworkKind, NO_EXPECTATION, type Probe } from "../probe/probe.ts";
import type { ProbeRequest } from "../probe/probe-request.ts";
import type { ProbeSample } from "../probe/probe-sample.ts";
import { failedSample, isInconclusive, passedSample } from "../probe/probe-sample.ts";
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
  return probes
    .filter((probe) => isPlanned(probe, expectGone))
    .flatMap((probe) => {
      const frozen = expectGone
        ? before.filter(({ name, resolvedTarget }) => name === probe.name && resolvedTarget)
        : [];
      const planned =
        frozen.length > 0
          ? // The outputs of what was destroyed are gone: its targets are those from before.
            frozen.flatMap((one) => plan({ ...probe, target: one.resolvedTarget ?? "" }, values, one.target))
          : plan(probe, values, 0);
      return planned.map((one) => ({ ...one, progress: known.get(keyOf(one.progress)) ?? one.progress }));
    });
}

/** Whether a probe is sent: nothing that was destroyed has check blocks. */
function isPlanned(probe: Probe, expectGone: boolean): boolean {
  return isForVerification(probe) && !(expectGone && probe.kind === "CHECKS");
}

/** The name of the probe that shows check blocks which no probe of the workspace asks for. Probes of people have no blank. */
const CHECKS_NAME = "check blocks";

/** Adds a probe that shows the check blocks of an apply, if there are some and the workspace has no probe of them. */
export function withChecksProbe(probes: readonly Probe[], report: CheckReport | null): readonly Probe[] {
  const isAsked = probes.some((probe) => probe.kind === "CHECKS" && isForVerification(probe));
  return report === null || isAsked ? probes : [...probes, CHECKS_PROBE];
}

const CHECKS_PROBE: Probe = {
  name: CHECKS_NAME,
  kind: "CHECKS",
  use: "VERIFY",
  weight: "INFORMATIONAL",
  from: "SERVER",
  target: "",
  method: "GET",
  paths: [],
  headers: [],
  body: null,
  variables: null,
  serverName: null,
  followRedirects: false,
  expect: NO_EXPECTATION,
  intervalSeconds: 30,
  timeoutMs: 5000,
};

/** Returns the result of the check blocks of a state; `null`: its configuration has none, or they are not known. */
export function sampleOfChecks(report: CheckReport | null): ProbeSample {
  if (report === null) return unresolvedSample("The state has no results of check blocks.");
  const failed = report.blocks.filter(isFailed);
  if (report.failedCount > 0) {
    const more = report.failedCount > 1 ? ` ${report.failedCount - 1} more do not pass.` : "";
    const [first] = failed;
    return failedSample("CHECKS", `${first === undefined ? "A check block fails." : checkProblem(first)}${more}`);
  }
  const unknown = report.blocks.find(({ status }) => status === "UNKNOWN");
  return unknown === undefined ? passedSample(0) : unresolvedSample(`The result of ${unknown.address} is not known.`);
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
    const resolvedTarget = kind === "EXTERNAL" ? probe.target : null;
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
  return planned.map(({ probe, progress: first }, index) => {
    const progress = known.get(keyOf(first)) ?? first;
    const sample = samples[index] ?? null;
    if (sample === null) return progress;
    const after = withSample(progress, sample, round);
    // The state does not change until the next apply.
    return probe.kind === "CHECKS" && !after.unknown ? { ...after, final: true } : after;
  });
}
