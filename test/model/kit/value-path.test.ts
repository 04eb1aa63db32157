import { expect, it } from "vitest";
import { isAtOrBelow, pathStep } from "../../../src/model/kit/value-path.ts";

it.each([
  ["tags", "tags", true],
  ["tags.Name", "tags", true],
  ['tags["a.b"]', "tags", true],
  ["disks[0].key", "disks[0]", true],
  ["tags", "", true],
  ["tags", "tags.Name", false],
  ["tagset", "tags", false],
  ["disks[10]", "disks[1]", false],
])("%s is at or below %j: %s", (path, above, expected) => {
  expect(isAtOrBelow(path, above)).toBe(expected);
});

it("writes keys that are no names in brackets", () => {
  expect([pathStep("a", true), pathStep("b-c", false), pathStep("a.b", false), pathStep("", true)]).toEqual([
    "a",
    ".b-c",
    '["a.b"]',
    '[""]',
  ]);
});
