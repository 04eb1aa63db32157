import fc from "fast-check";
import { expect, test } from "vitest";
import { createTimerWheel } from "../../../src/model/health/timer-wheel.ts";

type Step = { type: "add"; inMs: number } | { type: "take"; afterMs: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ type: fc.constant("add" as const), inMs: fc.integer({ min: -500, max: 5000 }) }),
  fc.record({ type: fc.constant("take" as const), afterMs: fc.integer({ min: 0, max: 3000 }) }),
);

test("each timer is taken once: not before its time, and at most a tick later than asked", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const wheel = createTimerWheel<number>(100, 1000);
      const open = new Map<number, number>();
      let now = 1000;
      for (const [id, one] of steps.entries()) {
        if (one.type === "add") {
          wheel.add(now + one.inMs, id);
          open.set(id, now + Math.max(one.inMs, 0));
          continue;
        }
        now += one.afterMs;
        for (const taken of wheel.take(now)) {
          expect(open.get(taken)).toBeLessThanOrEqual(now);
          expect(open.delete(taken)).toBe(true);
        }
        for (const at of open.values()) expect(at).toBeGreaterThan(now - 200);
        expect(wheel.size).toBe(open.size);
      }
      wheel.take(now + 10_000);
      expect(wheel.size).toBe(0);
    }),
  );
});

test("a long pause of the process takes no time for each tick of it", () => {
  const wheel = createTimerWheel<string>(100, 0);
  wheel.add(50, "a");
  expect(wheel.take(1e15)).toEqual(["a"]);
  wheel.add(0, "late");
  expect(wheel.take(1e15 + 200)).toEqual(["late"]);
});
