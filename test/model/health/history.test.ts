import fc from "fast-check";
import { expect, test } from "vitest";
import { planHistory, UNIT_MS } from "../../../src/model/health/history.ts";

const NOW = Date.parse("2026-03-20T12:00:00.000Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test.each([
  ["an hour", HOUR, "bucket"],
  ["a day and a half", 36 * HOUR, "bucket"],
  ["two days, which are more than 500 of five minutes", 48 * HOUR, "hour"],
  ["three weeks", 20 * DAY, "hour"],
  ["a month, of which hours are not kept", 31 * DAY, "day"],
  ["500 days", 500 * DAY, "day"],
])("the last %s", (_name, lengthMs, unit) => {
  expect(planHistory(NOW - lengthMs, NOW, NOW, 17_000)).toMatchObject({ unit, problem: null });
});

test("a short time long ago has the buckets that are kept", () => {
  const from = NOW - 10 * DAY;
  expect(planHistory(from, from + 3 * HOUR, NOW, 0)).toEqual({
    unit: "hour",
    starts: ["2026-03-10T12:00:00.000Z", "2026-03-10T13:00:00.000Z", "2026-03-10T14:00:00.000Z"],
    problem: null,
  });
});

test("five minutes are kept for two days, and begin with those of the target", () => {
  const kept = NOW - 2 * DAY;
  expect(planHistory(kept, kept + 10 * 60_000, NOW, 0)).toEqual({
    unit: "bucket",
    starts: ["2026-03-18T12:00:00.000Z", "2026-03-18T12:05:00.000Z"],
    problem: null,
  });
  expect(planHistory(kept, kept + 10 * 60_000, NOW, 17_000)).toMatchObject({
    starts: ["2026-03-18T12:00:17.000Z", "2026-03-18T12:05:17.000Z"],
  });
  expect(planHistory(kept - 1, kept + 10 * 60_000, NOW, 17_000)).toMatchObject({ unit: "hour" });
});

test.each([
  ["an end before its beginning", NOW, NOW - 1, { field: "to", message: "Must be later than `from`." }],
  ["no length", NOW, NOW, { field: "to", message: "Must be later than `from`." }],
  ["501 days", NOW - 501 * DAY, NOW, { field: "from", message: "Must be at most 500 days before `to`." }],
])("%s is refused", (_name, from, to, problem) => {
  expect(planHistory(from, to, NOW, 0)).toEqual({ problem });
});

test("all beginnings are within the bounds, in order, without a gap, and at most 500", () => {
  const bounds = fc.tuple(
    fc.integer({ min: 0, max: 490 * DAY }),
    fc.integer({ min: 1, max: 490 * DAY }),
    fc.integer({ min: 0, max: 299 }),
  );
  fc.assert(
    fc.property(bounds, ([ago, length, second]) => {
      const from = NOW - ago;
      const planned = planHistory(from, Math.min(from + length, NOW + DAY), NOW, second * 1000);
      if (planned.problem !== null) return expect(from + length).toBeLessThanOrEqual(from);
      const starts = planned.starts.map((start) => Date.parse(start));
      expect(starts.length).toBeLessThanOrEqual(500);
      for (const [index, start] of starts.entries()) {
        expect(start).toBeGreaterThanOrEqual(from);
        expect(start).toBeLessThan(from + length);
        expect(start).toBeLessThan(NOW);
        if (index > 0) expect(start - (starts[index - 1] ?? 0)).toBe(UNIT_MS[planned.unit]);
      }
      // The next one on each side is outside.
      const first = starts[0];
      if (first !== undefined) expect(first - UNIT_MS[planned.unit]).toBeLessThan(from);
    }),
  );
});
