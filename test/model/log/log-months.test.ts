import fc from "fast-check";
import { expect, test } from "vitest";
import { firstIdAt, idTimeMs } from "../../../src/model/kit/id.ts";
import { monthsBefore, OPEN_LOG_PART, planLogMonths } from "../../../src/model/log/log-months.ts";

const at = (text: string): Date => new Date(`${text}Z`);
const idAt = (text: string): string => firstIdAt("run", at(text).getTime());

test("a table in one piece ends with this month; the months asked for follow, and an open part", () => {
  expect(planLogMonths(null, null, at("2026-11-21T10:00:00"), 2)).toEqual({
    closed: { name: "log_batch_before_2026_12", from: null, to: idAt("2026-12-01T00:00:00") },
    months: [
      { name: "log_batch_2026_12", from: idAt("2026-12-01T00:00:00"), to: idAt("2027-01-01T00:00:00") },
      { name: "log_batch_2027_01", from: idAt("2027-01-01T00:00:00"), to: idAt("2027-02-01T00:00:00") },
    ],
    openFrom: idAt("2027-02-01T00:00:00"),
  });
});

test("the open part gives away its first month, or all that it already has runs of", () => {
  const openFrom = idAt("2027-02-01T00:00:00");
  expect(planLogMonths(openFrom, null, at("2026-12-02T00:00:00"), 1)).toBeNull();
  expect(planLogMonths(openFrom, null, at("2026-12-02T00:00:00"), 2)).toMatchObject({
    closed: { name: "log_batch_2027_02", from: openFrom, to: idAt("2027-03-01T00:00:00") },
    months: [],
  });
  const late = planLogMonths(openFrom, idAt("2027-05-20T00:00:00"), at("2027-05-21T00:00:00"), 1);
  expect(late?.closed).toEqual({ name: "log_batch_2027_02", from: openFrom, to: idAt("2027-06-01T00:00:00") });
  expect(late?.months.map(({ name }) => name)).toEqual(["log_batch_2027_06"]);
});

test("no part ends within two days, nor before a run that it has", () => {
  expect(planLogMonths(null, null, at("2026-11-30T12:00:00"), 1)?.closed.to).toBe(idAt("2027-01-01T00:00:00"));
  const ahead = idAt("2027-03-03T03:03:03");
  expect(planLogMonths(null, ahead, at("2026-11-03T00:00:00"), 1)?.closed.to).toBe(idAt("2027-04-01T00:00:00"));
});

test("parts leave no gap, whenever the command is run", () => {
  const day = fc.nat({ max: 3000 });
  fc.assert(
    fc.property(fc.array(fc.tuple(day, fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 8 }), (calls) => {
      let openFrom: string | null = null;
      const bounds: string[] = [];
      for (const [days, months] of calls.toSorted(([a], [b]) => a - b)) {
        const now = new Date(Date.UTC(2026, 0, 1) + days * 86_400_000);
        const plan = planLogMonths(openFrom, null, now, months);
        if (plan === null) continue;
        expect(plan.closed.from).toBe(openFrom);
        const parts = [plan.closed, ...plan.months];
        bounds.push(...parts.map(({ to }) => to));
        expect(plan.openFrom).toBe(bounds.at(-1));
        openFrom = plan.openFrom;
        expect(idTimeMs(openFrom)).toBeGreaterThan(now.getTime());
      }
      expect(bounds).toEqual([...new Set(bounds)].toSorted());
    }),
  );
});

test("months before an instant are those that ended by then", () => {
  const month = (name: string, to: string | null) => ({ name, from: null, to });
  const months = [
    month("b", idAt("2026-02-01T00:00:00")),
    month("a", idAt("2026-01-01T00:00:00")),
    month(OPEN_LOG_PART, null),
  ];
  const names = (before: string, now: string) =>
    monthsBefore(months, at(before).getTime(), at(now)).map(({ name }) => name);
  expect(names("2026-02-01T00:00:00", "2027-01-01T00:00:00")).toEqual(["a", "b"]);
  expect(names("2026-01-31T23:59:59", "2027-01-01T00:00:00")).toEqual(["a"]);
  // Whatever is asked for: runs are created in the month that is not over, and in those to come.
  expect(names("2099-01-01T00:00:00", "2026-01-31T23:59:59")).toEqual(["a"]);
  // A server whose clock is behind still creates some in one that has just ended.
  expect(names("2026-02-01T00:00:00", "2026-02-01T00:00:01")).toEqual(["a"]);
});

test("an open part that reaches to the end of the months asked for is left, and one that begins before is cut", () => {
  const now = at("2026-11-21T10:00:00");
  expect(planLogMonths(idAt("2026-12-01T00:00:00"), null, now, 0)).toBeNull();
  expect(planLogMonths(idAt("2026-11-01T00:00:00"), null, now, 0)).toEqual({
    closed: { name: "log_batch_2026_11", from: idAt("2026-11-01T00:00:00"), to: idAt("2026-12-01T00:00:00") },
    months: [],
    openFrom: idAt("2026-12-01T00:00:00"),
  });
});

test("a part may end exactly two days ahead, and right behind a run that it has", () => {
  expect(planLogMonths(null, null, at("2026-11-29T00:00:00"), 1)?.closed.to).toBe(idAt("2026-12-01T00:00:00"));
  expect(planLogMonths(null, null, at("2026-11-29T00:00:00.001"), 1)?.closed.to).toBe(idAt("2027-01-01T00:00:00"));
  const last = firstIdAt("run", at("2026-12-01T00:00:00").getTime() - 1);
  expect(planLogMonths(null, last, at("2026-11-03T00:00:00"), 1)?.closed.to).toBe(idAt("2026-12-01T00:00:00"));
  const first = idAt("2026-12-01T00:00:00");
  expect(planLogMonths(null, first, at("2026-11-03T00:00:00"), 1)?.closed.to).toBe(idAt("2027-01-01T00:00:00"));
});

test("months are in order, and one that ended exactly two days ago has gone", () => {
  const month = (name: string, to: string) => ({ name, from: null, to });
  const [a, b, c] = ["2026-01", "2026-02", "2026-03"].map((text) => month(text, idAt(`${text}-01T00:00:00`)));
  if (a === undefined || b === undefined || c === undefined) throw new Error("There are three.");
  const before = (now: string) => monthsBefore([c, a, b], at("2027-01-01T00:00:00").getTime(), at(now));
  expect(before("2026-03-03T00:00:00")).toEqual([a, b, c]);
  expect(before("2026-03-02T23:59:59.999")).toEqual([a, b]);
  expect(OPEN_LOG_PART).toBe("log_batch_rest");
});
