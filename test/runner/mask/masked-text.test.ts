import fc from "fast-check";
import { expect, test } from "vitest";
import { MASK, maskedRange, maskSpans, mergeSpans, type Span } from "../../../src/runner/mask/masked-text.ts";

const LENGTH = 30;
const TEXT = Array.from({ length: LENGTH }, (_, index) => String.fromCharCode(97 + (index % 26))).join("");
const span = fc
  .tuple(fc.nat(LENGTH - 1), fc.integer({ min: 1, max: 8 }))
  .map(([start, length]): Span => [start, Math.min(start + length, LENGTH)]);

test("merged spans cover the same characters, in order, and none touches the next", () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 8 }), (spans) => {
      const before = structuredClone(spans);
      const merged = mergeSpans(spans);
      const covers = (all: readonly Span[]) =>
        Array.from(TEXT, (_, at) => all.some(([start, end]) => start <= at && at < end));
      expect(covers(merged)).toEqual(covers(spans));
      for (const [index, [start]] of merged.slice(1).entries()) {
        expect(start).toBeGreaterThan(merged[index]?.[1] ?? LENGTH);
      }
      // The caller's spans stay as they are.
      expect(spans).toEqual(before);
    }),
  );
});

test("each span is one mark, and the text between them stays", () => {
  expect(maskSpans("abcdefgh", [])).toBe("abcdefgh");
  expect(
    maskSpans("abcdefgh", [
      [0, 2],
      [3, 4],
      [6, 8],
    ]),
  ).toBe(`${MASK}c${MASK}ef${MASK}`);
  expect(maskSpans("abcdefgh", [[2, 3]])).toBe(`ab${MASK}defgh`);
});

test("a range of a masked text has what it had, and masks that lie wholly in it", () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 5 }), span, (spans, [from, to]) => {
      const hidden = mergeSpans(spans);
      const kept = Array.from(TEXT.slice(from, to), (letter, index) => {
        const at = from + index;
        const mask = hidden.find(([start, end]) => start <= at && at < end);
        if (mask === undefined) return letter;
        return mask[0] === at && mask[1] <= to ? MASK : "";
      });
      const range = maskedRange([from, to], hidden);
      const shown = range === null ? "" : maskSpans(TEXT, hidden).slice(...range);
      expect(shown).toBe(kept.join(""));
    }),
    { numRuns: 1000 },
  );
});
