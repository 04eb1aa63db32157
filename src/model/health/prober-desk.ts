/**
 * The contract between a prober and the server that gives it targets. A prober is a process that sends the requests of
 * probes: a server, or a runner. Instants are those of the server's clock, which each answer has.
 */
import type { ProbeSource } from "../probe/probe.ts";
import type { ProbeRequest } from "../probe/probe-request.ts";
import type { TargetState } from "./target-state.ts";

/**
 * The probers that may probe a target: servers (`public`), runners of a pool (its id), or runners without a pool
 * (`shared`).
 */
export type ProbePool = string;
export const PUBLIC_PROBES: ProbePool = "public";
export const SHARED_PROBES: ProbePool = "shared";

/** Returns the probers of a target. */
export function poolOfProbe(from: ProbeSource, runnerPoolId: string | null): ProbePool {
  return from === "SERVER" ? PUBLIC_PROBES : (runnerPoolId ?? SHARED_PROBES);
}

/** A shard that a prober has. The fence is the number of its newest lease: a report with an older one is refused. */
export interface ShardLease {
  shard: number;
  fence: number;
  /** The version of its targets that the prober knows. */
  version: number;
}

/** Renews the leases of a prober, and asks for more. */
export interface LeaseRequest {
  /** Chosen by the prober at its start. */
  proberId: string;
  /** The highest number of probes a second; `null`: any. */
  perSecond: number | null;
  shards: readonly ShardLease[];
}

export interface LeaseAnswer {
  /** The clock of the server. */
  at: string;
  leaseMs: number;
  /** All shards that the prober has now. Others are not its own any more. */
  shards: readonly LeasedShard[];
  /** The prober has more shards, which the next lease gives: it asks for that at once. Absent: it has not. */
  more?: boolean | undefined;
  /** Targets that a run is changing: their samples are marked, and change nothing. */
  held: readonly number[];
}

export interface LeasedShard extends ShardLease {
  /** All targets of the shard; `null` if the prober knows them already. */
  targets: readonly LeasedTarget[] | null;
}

/** A target that a prober probes. */
export interface LeasedTarget {
  id: number;
  intervalMs: number;
  phase: number;
  bucketOffsetMs: number;
  request: ProbeRequest;
  state: TargetState;
  /** There was no prober for some time: the next sample is reported even if it changes nothing. */
  absent: boolean;
  /** When its state was last reported; `null` if it never was. */
  sampledAt: string | null;
}

/** The changes and closed buckets of some shards. */
export interface HealthReport {
  proberId: string;
  shards: readonly Omit<ShardLease, "version">[];
  changes: readonly TargetChange[];
  buckets: readonly ClosedBucket[];
}

/** The state of a target after a sample. */
export interface TargetChange {
  targetId: number;
  /** When the sample began. */
  at: string;
  state: TargetState;
  latencyMs: number | null;
}

export interface ClosedBucket {
  targetId: number;
  from: string;
  /** Packed, in base64. */
  samples: string;
}

/**
 * LOST: another prober has the shard. HELD: a run changes the target. STALE: a newer state is known already. FUTURE: the instant
 * is not one of the server's clock. GONE: there is no such target. INVALID: the entry is none.
 */
export const REPORT_REFUSALS = ["LOST", "HELD", "STALE", "FUTURE", "GONE", "INVALID"] as const;
export type ReportRefusal = (typeof REPORT_REFUSALS)[number];

export interface ReportAnswer {
  at: string;
  /** The entries of `changes` that were refused. */
  refused: readonly { targetId: number; refusal: ReportRefusal }[];
  /**
   * The number of buckets that were refused: empty ones, those of the future or too old, those that do not begin where the
   * buckets of their target do, and those that are known or of a lost shard.
   */
  refusedBuckets: number;
}

/** A server, as a prober sees it. */
export interface ProberDesk {
  lease(request: LeaseRequest): Promise<LeaseAnswer>;
  report(report: HealthReport): Promise<ReportAnswer>;
  /** Gives back all shards: other probers take them at once. */
  leave(proberId: string): Promise<void>;
}
