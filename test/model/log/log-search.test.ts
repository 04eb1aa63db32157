import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineSearch, searchTextProblem } from "../../../src/model/log/log-search.ts";

test("a text that no line can have is refused with a reason", () => {
  for (const text of ["", "a".repeat(201), "a\nb", "a\rb", "\0", "\ud800", "a\udc00"]) {
    expect(searchTextProblem(text)).toEqual(expect.any(String));
  }
  expect(["a", "%", "🟢", "a".repeat(200)].map(searchTextProblem)).toEqual([null, null, null, null]);
});

test("each character that a pattern could mean is found as itself", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 20, unit: "grapheme-ascii" }),
      fc.string({ unit: "grapheme" }),
      (text, around) => {
        const { mayMatch, spansIn } = createLineSearch(text);
        const line = `${around}${text.toUpperCase()}${around}`;
        expect(mayMatch(line)).toBe(true);
        expect(spansIn(line).length).toBeGreaterThan(0);
      },
    ),
  );
});
