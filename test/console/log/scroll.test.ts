import fc from "fast-check";
import { expect, it, test } from "vitest";
import { heightOf, lineAt, offsetOf } from "../../../src/console/log/scroll.ts";

const VIEW = 600;

it("counts rows where the sheet is not too high", () => {
  expect([lineAt(0, 1000, VIEW), lineAt(19, 1000, VIEW), lineAt(20, 1000, VIEW)]).toEqual([1, 1, 2]);
  expect([offsetOf(1, 1000, VIEW), offsetOf(500, 1000, VIEW)]).toEqual([0, 9980]);
});

it("is never higher than browsers draw", () => {
  expect(heightOf(10)).toBe(200);
  expect(heightOf(1_000_000)).toBe(8_000_000);
});

it("reaches the first and the last line of a million", () => {
  expect(lineAt(0, 1_000_000, VIEW)).toBe(1);
  expect(lineAt(heightOf(1_000_000) - VIEW, 1_000_000, VIEW)).toBe(1_000_000 - VIEW / 20 + 1);
});

test("a line that is gone to is at the upper edge", () => {
  const lines = fc.integer({ min: 100, max: 3_000_000 });
  fc.assert(
    fc.property(lines, fc.double({ min: 0, max: 1, noNaN: true }), (count, share) => {
      const line = 1 + Math.floor(share * (count - VIEW / 20));
      expect(lineAt(offsetOf(line, count, VIEW), count, VIEW)).toBe(line);
    }),
  );
});
