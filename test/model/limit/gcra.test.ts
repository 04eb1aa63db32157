import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRateLimiter } from "../../../src/model/limit/gcra.ts";

/** 60 points a minute: one a second. */
const RATE = { perMinute: 60, burst: 10 };

describe("the limit of a key", () => {
  test("allows the burst, refuses the next point, and allows it after its time", () => {
    const limiter = createRateLimiter(RATE, 10);
    expect(limiter.take("a", 10, 0)).toEqual({ allowed: true, remaining: 0, retryAfterMs: 0, resetMs: 10_000 });
    expect(limiter.take("a", 1, 0)).toEqual({ allowed: false, remaining: 0, retryAfterMs: 1000, resetMs: 10_000 });
    expect(limiter.take("a", 1, 999).allowed).toBe(false);
    expect(limiter.take("a", 1, 1000).allowed).toBe(true);
  });

  test("takes nothing for what it refuses, and never allows more than the burst", () => {
    const limiter = createRateLimiter(RATE, 10);
    expect(limiter.take("a", 11, 0)).toMatchObject({ allowed: false, remaining: 10, retryAfterMs: Infinity });
    expect(limiter.take("a", 10, 0).allowed).toBe(true);
  });

  test("keeps keys apart", () => {
    const limiter = createRateLimiter(RATE, 10);
    limiter.take("a", 10, 0);
    expect(limiter.take("b", 10, 0).allowed).toBe(true);
  });

  test("gives nothing for a clock that goes back by less than what is left", () => {
    const limiter = createRateLimiter(RATE, 10);
    limiter.take("a", 5, 5000);
    expect(limiter.take("a", 5, 1000)).toMatchObject({ allowed: false, remaining: 1 });
  });

  test("gives back what was taken, and never more than the burst", () => {
    const cost = fc.integer({ min: 1, max: 10 });
    fc.assert(
      fc.property(cost, cost, fc.integer({ min: 0, max: 20_000 }), (first, second, afterMs) => {
        const limiter = createRateLimiter(RATE, 10);
        limiter.take("a", first, 0);
        const before = limiter.take("a", 0, afterMs).remaining;
        if (!limiter.take("a", second, afterMs).allowed) return;
        limiter.give("a", second, afterMs);
        expect(limiter.take("a", 0, afterMs).remaining).toBe(before);
        limiter.give("a", 10, afterMs);
        limiter.give("a", 10, afterMs);
        expect(limiter.take("a", 0, afterMs).remaining).toBe(10);
      }),
    );
  });

  test("remembers a bounded number of keys and forgets the least recent", () => {
    const limiter = createRateLimiter(RATE, 2);
    limiter.take("a", 5, 0);
    limiter.take("b", 10, 0);
    limiter.take("a", 5, 0);
    limiter.take("c", 10, 0);
    expect(limiter.size).toBe(2);
    expect(limiter.take("a", 1, 0).allowed).toBe(false);
    expect(limiter.take("b", 10, 0).allowed).toBe(true);
  });

  test("remembers no key for a look at it, nor one that got everything back", () => {
    const limiter = createRateLimiter(RATE, 10);
    expect(limiter.take("a", 0, 0).remaining).toBe(10);
    expect(limiter.size).toBe(0);
    limiter.take("a", 10, 0);
    limiter.give("a", 5, 0);
    expect([limiter.size, limiter.take("a", 0, 0).remaining]).toEqual([1, 5]);
    limiter.give("a", 5, 0);
    limiter.give("b", 5, 0);
    expect(limiter.size).toBe(0);
    limiter.take("a", 10, 0);
    limiter.give("a", 10, 0);
    expect(limiter.size).toBe(0);
  });

  test("has a time after which all of the burst is allowed, also when nothing is", () => {
    const limiter = createRateLimiter(RATE, 10);
    limiter.take("a", 1, 0);
    expect(limiter.take("a", 10, 0)).toMatchObject({ allowed: false, retryAfterMs: 1000 });
  });

  test("does not shut a key out for longer where the clock was set back", () => {
    const limiter = createRateLimiter(RATE, 10);
    limiter.take("a", 10, 7 * 24 * 3_600_000);
    expect(limiter.take("a", 10, 0).allowed).toBe(true);
    expect(limiter.take("a", 1, 0).allowed).toBe(false);
  });

  test("takes a clock for set back beyond a minute", () => {
    const limiter = createRateLimiter(RATE, 10);
    limiter.take("a", 10, 60_000);
    expect(limiter.take("a", 1, 0).allowed).toBe(false);
    limiter.take("b", 10, 60_001);
    expect(limiter.take("b", 1, 0).allowed).toBe(true);
  });

  test("decides as a naive token bucket", () => {
    const step = fc.record({ afterMs: fc.integer({ min: 0, max: 5000 }), cost: fc.integer({ min: 1, max: 12 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const limiter = createRateLimiter(RATE, 10);
        let now = 0;
        // In thousandths of a point, so that the bucket has no fractions.
        let filled = 10_000;
        for (const { afterMs, cost } of steps) {
          now += afterMs;
          filled = Math.min(10_000, filled + afterMs);
          const allowed = filled >= cost * 1000;
          if (allowed) filled -= cost * 1000;
          const decision = limiter.take("a", cost, now);
          expect(decision.allowed).toBe(allowed);
          expect(decision.remaining).toBe(Math.floor(filled / 1000));
        }
      }),
    );
  });
});
