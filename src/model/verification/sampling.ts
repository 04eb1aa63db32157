/** The part of a verification that runners do: the probes that are sent from their network, and what they found. Pure. */
import type { ProbeRequest } from "../probe/probe-request.ts";
import type { ProbeSample } from "../probe/probe-sample.ts";
import { keyOf, type PlannedProbe, withBaseline } from "./probe-plan.ts";
import { type ProbeProgress, type ProbeRound, type Verification, withSample } from "./verification.ts";

/** Identifies a target of a probe, as the work of a runner and its report name it. */
export type SampleKey = Pick<ProbeProgress, "name" | "target" | "resolvedTarget">;

/** A request over the network. */
export interface SampleRequest extends SampleKey {
  request: ProbeRequest;
}

/** A shell command that must end with exit code 0. */
export interface SampleCommand extends SampleKey {
  command: string;
  timeoutMs: number;
}

/** The probes that a runner samples once. */
export interface SampleWork {
  requests: readonly SampleRequest[];
  commands: readonly SampleCommand[];
}

/** The samples of one target, in order. */
export interface ReportedSamples extends SampleKey {
  samples: readonly ProbeSample[];
}

/** Selects the probes for runners. Commands are for what was applied: before the apply none runs. */
export function workOfRunners(planned: readonly PlannedProbe[], status: Verification["status"]): SampleWork {
  const ofRunners = planned.filter(({ probe, unresolved }) => probe.from === "RUNNERS" && unresolved === null);
  return {
    requests: ofRunners.flatMap(({ progress, request }) =>
      request === null ? [] : [{ ...sampleKey(progress), request }],
    ),
    commands: ofRunners.flatMap(({ probe, progress }) =>
      probe.kind === "COMMAND" && status === "RUNNING"
        ? [{ ...sampleKey(progress), command: probe.target, timeoutMs: probe.timeoutMs }]
        : [],
    ),
  };
}

export function isNoWork({ requests, commands }: SampleWork): boolean {
  return requests.length === 0 && commands.length === 0;
}

function sampleKey({ name, target, resolvedTarget }: ProbeProgress): SampleKey {
  return { name, target, resolvedTarget };
}

/** Whether there are probes after the apply that no runner has sampled yet. */
export function isNewForRunners(planned: readonly PlannedProbe[]): boolean {
  const unsampled = planned.filter(({ progress }) => progress.attempts === 0);
  return !isNoWork(workOfRunners(unsampled, "RUNNING"));
}

/**
 * Adds the samples of runners after the apply, one of each target. Samples of other targets, and of probes of the server,
 * are dropped.
 */
export function withReported(
  probes: readonly ProbeProgress[],
  reported: readonly ReportedSamples[],
  round: ProbeRound,
): ProbeProgress[] {
  return merge(probes, reported, (progress, [sample]) =>
    sample === undefined ? progress : withSample(progress, sample, round),
  );
}

/** Adds the samples of runners before the apply. */
export function withReportedBaseline(
  probes: readonly ProbeProgress[],
  reported: readonly ReportedSamples[],
): ProbeProgress[] {
  return merge(probes, reported, withBaseline);
}

function merge(
  probes: readonly ProbeProgress[],
  reported: readonly ReportedSamples[],
  add: (progress: ProbeProgress, samples: readonly ProbeSample[]) => ProbeProgress,
): ProbeProgress[] {
  const found = new Map(reported.map((one) => [keyOf(one), one.samples]));
  return probes.map((progress) => {
    const samples = progress.from === "RUNNERS" ? (found.get(keyOf(progress)) ?? []) : [];
    return samples.length === 0 ? progress : add(progress, samples);
  });
}

/** The runners that a workspace asks for, and whether one of them samples probes. */
export interface SamplingRunners {
  /** `null` if the workspace names no pool, or its pool was deleted. */
  poolName: string | null;
  namesPool: boolean;
  labels: readonly string[];
  isOffered: boolean;
}

/** Describes why no runner sends probes; `null` if one has lately asked for them. */
export function missingProberText({ poolName, namesPool, labels, isOffered }: SamplingRunners): string | null {
  if (isOffered) return null;
  if (namesPool && poolName === null) return "The runner pool of the workspace was deleted. Choose another one.";
  const pool = poolName === null ? "that may take the runs of the workspace" : `of the pool ${poolName}`;
  const wanted = labels.length === 0 ? "" : ` with the labels ${labels.join(", ")}`;
  return `No runner ${pool}${wanted} sends probes. Start one with HOLDPOINT_RUNNER_PROBES=50.`;
}
