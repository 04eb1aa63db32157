import fc from "fast-check";
import { expect, test } from "vitest";
import { HEALTH_LIMITS } from "../../../src/model/health/health-limits.ts";
import { bucketStartMs, nextRegularMs, placeOfTarget } from "../../../src/model/health/target-hash.ts";

const keys = Array.from({ length: 10_000 }, (_none, index) => {
  return { workspaceId: `ws_${index.toString(36).padStart(26, "0")}`, probe: "web", number: 0 };
});

test("a target keeps its place from release to release: rows and other probers have it", () => {
  expect([
    placeOfTarget({ workspaceId: "ws_1", probe: "web", number: 0 }),
    placeOfTarget({ workspaceId: "ws_00000000000000000000000001", probe: "api-2", number: 12 }),
  ]).toEqual([
    { shard: 195, phase: 0.6668555981013924, bucketOffsetMs: 25_000 },
    { shard: 131, phase: 0.18212116323411465, bucketOffsetMs: 262_000 },
  ]);
});

test("ten thousand targets are spread evenly over shards, phases and buckets", () => {
  const places = keys.map(placeOfTarget);
  const shares = (numbers: number[], of: number): number[] => {
    const counts = Array.from({ length: of }, () => 0);
    for (const number of numbers) counts[number] = (counts[number] ?? 0) + 1;
    return counts;
  };
  const shards = shares(
    places.map(({ shard }) => shard),
    HEALTH_LIMITS.shards,
  );
  expect(Math.min(...shards)).toBeGreaterThan(10);
  expect(Math.max(...shards)).toBeLessThan(80);
  const phases = shares(
    places.map(({ phase }) => Math.floor(phase * 30)),
    30,
  );
  expect(Math.max(...phases) / Math.min(...phases)).toBeLessThan(1.5);
  const offsets = shares(
    places.map(({ bucketOffsetMs }) => Math.floor(bucketOffsetMs / 10_000)),
    30,
  );
  expect(Math.max(...offsets) / Math.min(...offsets)).toBeLessThan(1.5);
});

test("the targets of one probe have buckets that begin together", () => {
  const places = [0, 1, 2].map((number) => placeOfTarget({ workspaceId: "ws_1", probe: "web", number }));
  expect(new Set(places.map(({ bucketOffsetMs }) => bucketOffsetMs)).size).toBe(1);
  expect(new Set(places.map(({ shard }) => shard)).size).toBeGreaterThan(1);
});

test("the next regular time is after now, at most an interval away, and the same for every prober", () => {
  const numbers = fc.tuple(
    fc.integer({ min: 1_600_000_000_000, max: 2_000_000_000_000 }),
    fc.integer({ min: 10, max: 3600 }).map((seconds) => seconds * 1000),
    fc.double({ min: 0, max: 0.999_999, noNaN: true }),
  );
  fc.assert(
    fc.property(numbers, ([now, intervalMs, phase]) => {
      const next = nextRegularMs(now, intervalMs, phase);
      expect(next).toBeGreaterThan(now);
      expect(next - now).toBeLessThanOrEqual(intervalMs);
      expect(nextRegularMs(next, intervalMs, phase) - next).toBe(intervalMs);
      expect(nextRegularMs(next - 1, intervalMs, phase)).toBe(next);
    }),
  );
});

test("a target is probed at its phase of the interval", () => {
  expect(nextRegularMs(0, 30_000, 0.5)).toBe(15_000);
  expect(nextRegularMs(15_000, 30_000, 0.5)).toBe(45_000);
});

test("each instant is in one bucket of five minutes", () => {
  const { bucketMs } = HEALTH_LIMITS;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000_000_000 }), fc.integer({ min: 0, max: 299 }), (at, seconds) => {
      const start = bucketStartMs(at, seconds * 1000);
      expect(at - start).toBeGreaterThanOrEqual(0);
      expect(at - start).toBeLessThan(bucketMs);
      expect(bucketStartMs(start, seconds * 1000)).toBe(start);
    }),
  );
});
