import { expect, test } from "vitest";
import { unpackSamples } from "../../../src/model/health/bucket.ts";
import { HEALTH_LIMITS } from "../../../src/model/health/health-limits.ts";
import type { LeasedTarget } from "../../../src/model/health/prober-desk.ts";
import { NEW_TARGET, statusOfTarget } from "../../../src/model/health/target-state.ts";
import {
  acknowledge,
  addSample,
  closeBucket,
  holdTarget,
  packBucket,
  type TimedSample,
  type WatchedTarget,
  watchTarget,
} from "../../../src/model/health/watched-target.ts";
import { NO_EXPECTATION } from "../../../src/model/probe/probe.ts";

const START = Date.parse("2026-03-20T12:00:00.000Z");
const OFFSET = 17_000;
const FIRST = START + OFFSET;
const NEXT = FIRST + HEALTH_LIMITS.bucketMs;

const LEASED: LeasedTarget = {
  id: 7,
  intervalMs: 30_000,
  phase: 0,
  bucketOffsetMs: OFFSET,
  request: { kind: "TCP", host: "db", port: 1, body: null, expect: NO_EXPECTATION, timeoutMs: 1000 },
  state: NEW_TARGET,
  absent: false,
  sampledAt: null,
};

const good = (atMs: number): TimedSample => ({ atMs, ok: true, failure: null, reason: null, latencyMs: 12 });
const bad = (atMs: number): TimedSample => {
  return { atMs, ok: false, failure: "CONNECT", reason: "The connection was refused.", latencyMs: null };
};
const ready = (leased: Partial<LeasedTarget> = {}): WatchedTarget => watchTarget({ ...LEASED, ...leased }, 3);
const add = (target: WatchedTarget, ...samples: TimedSample[]): void => {
  for (const sample of samples) addSample(target, sample);
};

/** Healthy, and known to be so by the server. */
function healthy(): WatchedTarget {
  const target = ready();
  add(target, good(FIRST), good(FIRST + 1000), good(FIRST + 2000));
  acknowledge(target, target.state);
  return target;
}

test("a sample that changes the state is to be reported with its time and its latency", () => {
  const target = ready();
  expect(target).toMatchObject({ shard: 3, changed: null, held: false, bucket: null, known: NEW_TARGET });
  add(target, good(FIRST));
  expect(target.changed).toEqual({ at: new Date(FIRST).toISOString(), latencyMs: 12 });
  expect(target.known).toEqual(NEW_TARGET);
  add(target, good(FIRST + 1000), good(FIRST + 2000));
  expect(statusOfTarget(target.state)).toBe("HEALTHY");
});

test("nothing is reported of a sample that changes nothing, or changes the state back", () => {
  const target = healthy();
  expect(target.changed).toBeNull();
  add(target, good(FIRST + 30_000));
  expect(target.changed).toBeNull();
  add(target, bad(FIRST + 60_000));
  expect(target.changed).toEqual({ at: new Date(FIRST + 60_000).toISOString(), latencyMs: null });
  add(target, good(FIRST + 65_000), good(FIRST + 70_000));
  expect(target.changed).toBeNull();
});

test("after an absence the next sample is reported in any case, until the server has taken it", () => {
  const { state } = healthy();
  const target = ready({ state, absent: true });
  add(target, good(FIRST));
  expect(target.changed).toEqual({ at: new Date(FIRST).toISOString(), latencyMs: 12 });
  acknowledge(target, target.state);
  expect(target.changed).toBeNull();
  add(target, good(FIRST + 30_000));
  expect(target.changed).toBeNull();
});

test("the answer for an older state leaves what changed since", () => {
  const target = ready();
  add(target, good(FIRST));
  const sent = target.state;
  add(target, good(FIRST + 5000));
  acknowledge(target, sent);
  expect(target.known).toBe(sent);
  expect(target.changed).toEqual({ at: new Date(FIRST + 5000).toISOString(), latencyMs: 12 });
});

test("samples of the time of a run are kept and marked, and count for nothing", () => {
  const target = healthy();
  const { state } = target;
  holdTarget(target, true);
  add(target, bad(FIRST + 30_000), bad(FIRST + 35_000), bad(FIRST + 40_000));
  expect(target.state).toEqual(state);
  expect(target.changed).toBeNull();
  holdTarget(target, false);
  add(target, good(FIRST + 60_000));
  expect(target.bucket?.samples.map(({ held }) => held)).toEqual([false, false, false, true, true, true, false]);
});

test("a run that begins makes the prober forget what the server does not know", () => {
  const target = healthy();
  const { known } = target;
  add(target, bad(FIRST + 30_000), bad(FIRST + 35_000));
  holdTarget(target, true);
  expect([target.state, target.changed]).toEqual([known, null]);
  holdTarget(target, false);
  add(target, bad(FIRST + 60_000));
  expect(target.state.badInARow).toBe(1);
});

test("a run that goes on changes nothing", () => {
  const target = healthy();
  add(target, bad(FIRST + 30_000));
  const { state, changed } = target;
  holdTarget(target, false);
  expect(target).toMatchObject({ state, changed });
});

test("a bucket has the seconds of its samples, and ends where the next one begins", () => {
  const target = ready();
  expect(addSample(target, good(FIRST))).toBeNull();
  expect(addSample(target, bad(FIRST + 61_900))).toBeNull();
  expect(addSample(target, good(NEXT - 1))).toBeNull();
  const closed = addSample(target, good(NEXT));
  expect(closed).toEqual({
    startMs: FIRST,
    samples: [
      { second: 0, failure: null, latencyMs: 12, held: false },
      { second: 61, failure: "CONNECT", latencyMs: null, held: false },
      { second: 299, failure: null, latencyMs: 12, held: false },
    ],
  });
  expect(target.bucket).toMatchObject({ startMs: NEXT, samples: [{ second: 0 }] });
  if (closed !== null) expect(unpackSamples(packBucket(closed))).toEqual(closed.samples);
});

test("a bucket that is over is returned also while a run changes the target", () => {
  const target = ready();
  add(target, good(FIRST));
  holdTarget(target, true);
  expect(addSample(target, good(NEXT))).toMatchObject({ startMs: FIRST });
});

test("a bucket takes as many samples as can be packed, and no more", () => {
  const target = ready();
  for (let index = 0; index <= HEALTH_LIMITS.samplesPerBucket; index++) add(target, good(FIRST + index * 1000));
  const samples = target.bucket?.samples ?? [];
  expect(samples).toHaveLength(HEALTH_LIMITS.samplesPerBucket);
  expect(unpackSamples(packBucket({ startMs: FIRST, samples }))).toEqual(samples);
});

test("a bucket is taken once, when its five minutes are over or all are asked for", () => {
  const target = ready();
  expect(closeBucket(target, NEXT, true)).toBeNull();
  add(target, good(FIRST));
  expect(closeBucket(target, NEXT - 1)).toBeNull();
  expect(closeBucket(target, NEXT)).toMatchObject({ startMs: FIRST });
  expect(closeBucket(target, NEXT)).toBeNull();
  add(target, good(NEXT));
  expect(closeBucket(target, NEXT, true)).toMatchObject({ startMs: NEXT });
  expect(target.bucket).toBeNull();
});
