import { expect, it } from "vitest";
import { columnsOf, goodShare, toneOfColumn } from "../../../src/console/probes/health-columns.ts";

const MINUTE = 60_000;
const bucket = (minute: number, samples: number, bad = 0, held = 0, ms: number | null = 10) => ({
  from: new Date(minute * MINUTE).toISOString(),
  seconds: 300,
  samples,
  bad,
  held,
  medianMs: ms,
  maxMs: ms === null ? null : 2 * ms,
});
const STRETCH = { from: 0, to: 40 * MINUTE, count: 4 };

it("adds up buckets by columns, and leaves out those of another time", () => {
  const buckets = [bucket(-5, 9), bucket(0, 10, 1, 0, 30), bucket(5, 10), bucket(20, 5, 0, 5, null), bucket(40, 9)];
  const columns = columnsOf(buckets, STRETCH);
  expect(columns).toEqual([
    { from: 0, samples: 20, bad: 1, held: 0, medianMs: 30, maxMs: 60 },
    null,
    { from: 20 * MINUTE, samples: 5, bad: 0, held: 5, medianMs: null, maxMs: null },
    null,
  ]);
  expect(columns.map((column) => column && toneOfColumn(column))).toEqual(["bad", null, "busy", null]);
});

it.each([
  [[], "no samples"],
  [[bucket(0, 0)], "no samples"],
  [[bucket(0, 300), bucket(10, 300)], "100 % of 600 samples were good"],
  [[bucket(0, 30_000, 1)], "99.99 % of 30000 samples were good"],
  [[bucket(0, 3, 1)], "66.66 % of 3 samples were good"],
])("writes the share of good samples, and rounds none up to all", (buckets, text) => {
  expect(goodShare(columnsOf(buckets, STRETCH))).toBe(text);
});
