import { expect, it } from "vitest";
import { toneOf, wordsOf } from "../../../src/console/parts/words.ts";
import { visible } from "../../../src/console/parts/visible.ts";
import { textOf } from "../../../src/console/plan/text.ts";

it("writes names of the API for people, also those that it does not know", () => {
  expect([wordsOf("AWAITING_PLAN_APPROVAL"), wordsOf("SOMETHING_NEW")]).toEqual([
    "awaiting plan approval",
    "something new",
  ]);
});

it.each([
  [{ status: "AWAITING_PLAN_APPROVAL", isTerminal: false, requiredAction: "REVIEW_PLAN" }, "asks"],
  [{ status: "APPLYING", isTerminal: false, requiredAction: "WAIT" }, "busy"],
  [{ status: "SOMETHING_NEW", isTerminal: false, requiredAction: "SOMETHING_NEW" }, "busy"],
  [{ status: "FINISHED", isTerminal: true, outcome: "APPLIED", requiredAction: "NONE" }, "good"],
  [{ status: "FAILED", isTerminal: true, outcome: null, requiredAction: "FIX_AND_RERUN" }, "bad"],
  [{ status: "DISCARDED", isTerminal: true, outcome: null, requiredAction: "NONE" }, "quiet"],
])("%j has the tone %s", (run, tone) => expect(toneOf(run)).toBe(tone));

it("makes signs visible that would make a text look like another one", () => {
  expect(visible("bump \u202egnp.exe\u0007\n\tü✓")).toBe("bump \\u202egnp.exe\\u0007\n\tü✓");
});

it("shortens a value of a megabyte, and writes lines as lines", () => {
  expect(textOf("a\nb")).toBe("a\nb");
  expect(textOf({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
  const text = textOf("x".repeat(1_000_000));
  expect(text.length).toBeLessThan(20_100);
  expect(text).toMatch(/… \(980002 characters more\)$/);
});
