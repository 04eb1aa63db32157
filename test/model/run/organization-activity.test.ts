import { expect, test } from "vitest";
import { nextFreeAt, type PlaceUse } from "../../../src/model/run/organization-activity.ts";

const NOW = new Date("2026-03-10T12:00:00.000Z");
const FULL: PlaceUse = { busy: 3, limit: 3, queueLength: 1, endingSince: "2026-03-10T11:50:00.000Z", jobMs: 900_000 };

test.each<[string, Partial<PlaceUse>, string | null]>([
  ["the median after the start of the job", {}, "2026-03-10T12:05:00.000Z"],
  ["now, if the job takes longer than the median", { jobMs: 60_000 }, NOW.toISOString()],
  ["not estimated while a place is free", { busy: 2 }, null],
  ["estimated while a lowered limit is exceeded", { busy: 4 }, "2026-03-10T12:05:00.000Z"],
  ["not estimated if no job is at work", { endingSince: null }, null],
  ["not estimated without earlier jobs", { jobMs: null }, null],
])("the next free place is %s", (_name, change, expected) => {
  expect(nextFreeAt({ ...FULL, ...change }, NOW)).toBe(expected);
});
