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

test("a timer that is due now is taken now", () => {
  const wheel = createTimerWheel<string>(100, 1000);
  wheel.add(1000, "a");
  expect(wheel.take(1000)).toEqual(["a"]);
});

test("many timers are taken tick by tick", () => {
  const wheel = createTimerWheel<number>(100, 1000);
  const ids = Array.from({ length: 50 }, (_none, index) => index);
  for (const id of ids) wheel.add(1000 + id * 100, id);
  expect(ids.flatMap((id) => wheel.take(1000 + id * 100).map((taken) => [id, taken]))).toEqual(
    ids.map((id) => [id, id]),
  );
});

test.each([
  ["few timers of a long time", [3000, 1500, 2000]],
  ["many timers of a short time", [1900, 1800, 1700, 1600, 1500, 1400, 1300, 1200, 1100, 1000]],
])("%s are taken in the order of their ticks, with that of this instant", (_name, instants) => {
  const wheel = createTimerWheel<number>(100, 1000);
  for (const at of instants) wheel.add(at, at);
  const inOrder = instants.toSorted((a, b) => a - b);
  expect(wheel.take(Math.max(...instants))).toEqual(inOrder);
});
