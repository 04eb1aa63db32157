import fc from "fast-check";
import { expect, test } from "vitest";
import { type BucketSample, figuresOf, packSamples, unpackSamples } from "../../../src/model/health/bucket.ts";
import { HEALTH_LIMITS } from "../../../src/model/health/health-limits.ts";
import { PROBE_FAILURES } from "../../../src/model/probe/probe-sample.ts";

const sample = fc.record({
  second: fc.integer({ min: 0, max: 299 }),
  failure: fc.constantFrom(null, ...PROBE_FAILURES),
  latencyMs: fc.option(fc.integer({ min: 0, max: 65_534 })),
  held: fc.boolean(),
});

test("samples come back as they were packed, four bytes each", () => {
  fc.assert(
    fc.property(fc.array(sample, { minLength: 1, maxLength: HEALTH_LIMITS.samplesPerBucket }), (samples) => {
      const bytes = packSamples(samples);
      expect(bytes).toHaveLength(4 * samples.length);
      expect(unpackSamples(bytes)).toEqual(samples);
    }),
  );
});

test("a latency that is longer than the field is the longest one", () => {
  const slow: BucketSample = { second: 0, failure: null, latencyMs: 100_000, held: false };
  expect(unpackSamples(packSamples([slow]))).toEqual([{ ...slow, latencyMs: 65_534 }]);
});

test.each([
  ["nothing", new Uint8Array()],
  ["a part of a sample", new Uint8Array(6)],
  ["more samples than a bucket has", new Uint8Array(4 * (HEALTH_LIMITS.samplesPerBucket + 1))],
  ["a second after the end", Uint8Array.of(0xff, 0, 0, 0)],
  ["the first second after the end", packSamples([{ second: 300, failure: null, latencyMs: 1, held: false }])],
  ["a failure that is not known", Uint8Array.of(0, 0x7e, 0, 0)],
])("%s is no bucket", (_name, bytes) => {
  expect(unpackSamples(bytes)).toBeNull();
});

test("figures count what was bad, but not while a run changed the target", () => {
  const one = { second: 0, failure: null, latencyMs: 10, held: false } satisfies BucketSample;
  const samples: BucketSample[] = [
    one,
    { ...one, latencyMs: 30 },
    { ...one, latencyMs: 20 },
    { ...one, failure: "TIMEOUT", latencyMs: null },
    { ...one, failure: "CONNECT", latencyMs: null, held: true },
    { ...one, failure: "CONNECT", latencyMs: null, held: true },
  ];
  expect(figuresOf(samples)).toEqual({ samples: 6, bad: 1, held: 2, medianMs: 20, maxMs: 30 });
  expect(figuresOf([{ ...one, latencyMs: null }])).toMatchObject({ medianMs: null, maxMs: null });
});
