/** Samples of five minutes, packed: 32 bits each. */
import { PROBE_FAILURES, type ProbeFailure } from "../probe/probe-sample.ts";
import { HEALTH_LIMITS } from "./health-limits.ts";

/** One sample of a bucket. */
export interface BucketSample {
  /** Whole seconds after the beginning of the bucket. */
  second: number;
  /** `null` if it was good. */
  failure: ProbeFailure | null;
  /** `null` if there was no whole answer. */
  latencyMs: number | null;
  /** A run changed the target at that time: the sample counted for nothing. */
  held: boolean;
}

/** The figures of some samples. */
export interface BucketFigures {
  samples: number;
  bad: number;
  held: number;
  medianMs: number | null;
  maxMs: number | null;
}

const BYTES = 4;
const NO_LATENCY = 0xff_ff;
const MOST_SECONDS = HEALTH_LIMITS.bucketMs / 1000;

/** Seconds take 9 bits, the failure 6, `held` 1, and the latency 16. */
export function packSamples(samples: readonly BucketSample[]): Uint8Array {
  const bytes = new Uint8Array(samples.length * BYTES);
  const view = new DataView(bytes.buffer);
  for (const [index, { second, failure, latencyMs, held }] of samples.entries()) {
    const code = failure === null ? 0 : PROBE_FAILURES.indexOf(failure) + 1;
    const latency = latencyMs === null ? NO_LATENCY : Math.min(Math.max(Math.round(latencyMs), 0), NO_LATENCY - 1);
    view.setUint32(index * BYTES, second * 2 ** 23 + code * 2 ** 17 + (held ? 2 ** 16 : 0) + latency);
  }
  return bytes;
}

/** Unpacks samples; `null` if the bytes are not those of a bucket. */
export function unpackSamples(bytes: Uint8Array): BucketSample[] | null {
  const count = bytes.length / BYTES;
  if (!Number.isInteger(count) || count === 0 || count > HEALTH_LIMITS.samplesPerBucket) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const samples: BucketSample[] = [];
  for (let index = 0; index < count; index++) {
    const word = view.getUint32(index * BYTES);
    const second = word >>> 23;
    const code = (word >>> 17) & 0x3f;
    if (second >= MOST_SECONDS || code > PROBE_FAILURES.length) return null;
    const latency = word & NO_LATENCY;
    samples.push({
      second,
      failure: PROBE_FAILURES[code - 1] ?? null,
      latencyMs: latency === NO_LATENCY ? null : latency,
      held: (word & (2 ** 16)) !== 0,
    });
  }
  return samples;
}

/** Counts the samples of a bucket. Those of the time of a run count as samples, and not as bad ones. */
export function figuresOf(samples: readonly BucketSample[]): BucketFigures {
  const latencies = samples
    .flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]))
    .toSorted((a, b) => a - b);
  return {
    samples: samples.length,
    bad: samples.filter(({ failure, held }) => failure !== null && !held).length,
    held: samples.filter(({ held }) => held).length,
    medianMs: latencies[Math.floor((latencies.length - 1) / 2)] ?? null,
    maxMs: latencies.at(-1) ?? null,
  };
}
