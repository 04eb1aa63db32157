import { expect, test } from "vitest";
import { belowRoots } from "../../../src/domain/source/source-roots.ts";

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `/r${index}`);

test.each([
  [[], "below a source root, and this server has none: HOLDPOINT_SOURCE_ROOTS names them."],
  [["/srv/a"], "below /srv/a, the source roots of this server (HOLDPOINT_SOURCE_ROOTS)."],
  [["/srv/a", "/srv/b"], "below /srv/a or /srv/b, the source roots of this server (HOLDPOINT_SOURCE_ROOTS)."],
])("the roots %j are named", (roots, text) => {
  expect(belowRoots(roots)).toBe(text);
});

test("of many roots ten are named", () => {
  expect(belowRoots(numbered(12))).toMatch(/^below \/r0 or .* or \/r9 or 2 others, the source roots/);
  expect(belowRoots(numbered(10))).toMatch(/ or \/r9, the source roots/);
});
