import { expect, it } from "vitest";
import { rangeOf, readLineRange, writeLineRange } from "../../../src/console/log/line-range.ts";

it.each([
  ["#L812", { first: 812, last: 812 }],
  ["#L812-L815", { first: 812, last: 815 }],
  ["#L815-L812", { first: 812, last: 815 }],
  ["#L0", null],
  ["#L", null],
  ["#L1-", null],
  ["#L1-L0", null],
  ["#L1x", null],
  ["#L9999999999999", null],
  ["", null],
])("reads %s", (hash, range) => {
  expect(readLineRange(hash)).toEqual(range);
});

it("writes what it reads", () => {
  for (const range of [rangeOf(7, 7), rangeOf(9, 3)]) expect(readLineRange(writeLineRange(range))).toEqual(range);
});
