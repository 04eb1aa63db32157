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

  test("remembers the keys that were used last, and forgets those of long ago", () => {
    const key = fc.integer({ min: 0, max: 12 }).map(String);
    fc.assert(
      fc.property(fc.array(key, { maxLength: 80 }), fc.integer({ min: 1, max: 5 }), (keys, maxKeys) => {
        const limiter = createRateLimiter({ perMinute: 1, burst: 1000 }, maxKeys);
        for (const used of keys) limiter.take(used, 1, 0);
        const byLastUse = [...new Set(keys.toReversed())];
        for (const [position, used] of byLastUse.entries()) {
          const { remaining } = limiter.take(used, 0, 0);
          const all = 1000 - keys.filter((other) => other === used).length;
          // Exact, unless it was forgotten between two uses.
          if (position < maxKeys) expect(remaining).toBeLessThan(1000);
          if (position >= 2 * maxKeys) expect(remaining).toBe(1000);
          if (byLastUse.length <= maxKeys) expect(remaining).toBe(all);
        }
      }),
    );
  });

  test("keeps what a key has used while others come and go", () => {
    const limiter = createRateLimiter({ perMinute: 1, burst: 1000 }, 3);
    for (let i = 1; i <= 100; i++) {
      limiter.take(`other ${i}`, 1, 0);
      limiter.take("a", 1, 0);
      expect(limiter.take("a", 0, 0).remaining).toBe(1000 - i);
    }
  });

  test("remembers no key for a look at it, nor one that got everything back", () => {
    const limiter = createRateLimiter(RATE, 10);
    expect(limiter.take("a", 0, 0).remaining).toBe(10);
    expect(limiter.isEmpty).toBe(true);
    limiter.take("a", 10, 0);
    limiter.give("a", 5, 0);
    expect([limiter.isEmpty, limiter.take("a", 0, 0).remaining]).toEqual([false, 5]);
    limiter.give("a", 5, 0);
    limiter.give("b", 5, 0);
    expect(limiter.isEmpty).toBe(true);
    limiter.take("a", 10, 0);
    limiter.give("a", 10, 0);
    expect(limiter.isEmpty).toBe(true);
  });

  test("gives back to a key that others have made old", () => {
    const limiter = createRateLimiter(RATE, 2);
    for (const key of ["a", "b"]) limiter.take(key, 10, 0);
    limiter.give("a", 10, 0);
    expect(limiter.take("a", 0, 0).remaining).toBe(10);
    limiter.give("b", 4, 0);
    expect(limiter.take("b", 0, 0).remaining).toBe(4);
    expect(limiter.isEmpty).toBe(false);
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
