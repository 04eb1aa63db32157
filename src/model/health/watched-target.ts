/** A target in the memory of its prober: what was sampled, and what the server knows of it. Pure but for its own fields. */
import { type BucketSample, packSamples } from "./bucket.ts";
import { HEALTH_LIMITS } from "./health-limits.ts";
import type { LeasedTarget, TargetChange } from "./prober-desk.ts";
import { bucketStartMs } from "./target-hash.ts";
import { type CountedSample, isSameState, type TargetState, withoutTrend, withTargetSample } from "./target-state.ts";

/** A sample with the time at which it began, of the server's clock. */
export interface TimedSample extends CountedSample {
  atMs: number;
  latencyMs: number | null;
}

/** A bucket of samples; it grows until its five minutes are over. */
export interface OpenBucket {
  startMs: number;
  samples: BucketSample[];
}

export interface WatchedTarget {
  readonly leased: LeasedTarget;
  readonly shard: number;
  state: TargetState;
  /** The state that the server has. */
  known: TargetState;
  /** The server does not count it as probed. */
  absent: boolean;
  /** A run changes it: samples are marked, and count for nothing. */
  held: boolean;
  /** The newest sample since the state is another than the server's; `null` if it is not. */
  changed: Pick<TargetChange, "at" | "latencyMs"> | null;
  bucket: OpenBucket | null;
}

export function watchTarget(leased: LeasedTarget, shard: number): WatchedTarget {
  const { state, absent } = leased;
  return { leased, shard, state, known: state, absent, held: false, changed: null, bucket: null };
}

/** Adds a sample. Returns the bucket before it, if that is over. */
export function addSample(target: WatchedTarget, sample: TimedSample): OpenBucket | null {
  const closed = addToBucket(target, sample);
  if (target.held) return closed;
  const state = withTargetSample(target.state, sample);
  const isKnown = isSameState(state, target.known);
  // One object for both: most targets never change.
  target.state = isKnown ? target.known : state;
  const isChanged = target.absent || !isKnown;
  const at = new Date(sample.atMs).toISOString();
  target.changed = isChanged ? { at, latencyMs: sample.latencyMs } : null;
  return closed;
}

function addToBucket(target: WatchedTarget, { atMs, ok, failure, latencyMs }: TimedSample): OpenBucket | null {
  const startMs = bucketStartMs(atMs, target.leased.bucketOffsetMs);
  const second = Math.floor((atMs - startMs) / 1000);
  const sample = { second, failure: ok ? null : failure, latencyMs, held: target.held };
  const { bucket } = target;
  if (bucket?.startMs === startMs) {
    if (bucket.samples.length < HEALTH_LIMITS.samplesPerBucket) bucket.samples.push(sample);
    return null;
  }
  target.bucket = { startMs, samples: [sample] };
  return bucket;
}

/** Takes the bucket of a target if it is over, or if `all`. */
export function closeBucket(target: WatchedTarget, nowMs: number, all = false): OpenBucket | null {
  const { bucket } = target;
  if (bucket === null || !(all || bucket.startMs + HEALTH_LIMITS.bucketMs <= nowMs)) return null;
  target.bucket = null;
  return bucket;
}

export function packBucket({ samples }: OpenBucket): Uint8Array {
  return packSamples(samples);
}

/** Notes that a run begins or ends to change a target. What was not known by then is forgotten. */
export function holdTarget(target: WatchedTarget, held: boolean): void {
  if (target.held === held) return;
  target.held = held;
  target.state = withoutTrend(target.known);
  target.changed = null;
}

/** Notes that the server has taken a state. */
export function acknowledge(target: WatchedTarget, state: TargetState): void {
  target.known = state;
  target.absent = false;
  if (isSameState(target.state, state)) target.changed = null;
}
