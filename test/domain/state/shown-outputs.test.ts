import { expect, test } from "vitest";
import { shownOutputs } from "../../../src/domain/state/shown-outputs.ts";
import type { Json } from "../../../src/model/plan/json.ts";

const SECRETS = ["1234567", "a secret\n  second-line  \nshort", "sixsix"];

test.each<[string, Json, boolean]>([
  ["a text", "with a secret in it", false],
  ["a line of a secret of several", "xsecond-linex", false],
  ["a number with the digits of a secret", 91234567.5, false],
  ["an item of a list", ["public", ["second-line"]], false],
  ["the value of a key", { open: { deep: "second-line" } }, false],
  ["the value of one of two keys", { open: "public", deep: "second-line" }, false],
  ["a secret of six characters, the shortest that is hidden", "a sixsix", false],
  ["the key itself", { "is second-line": true }, false],
  ["a key further down", [{ deep: { "second-line": null } }], false],
  ["a line that is too short to be a secret", "short", true],
  ["another number", 1234568, true],
  ["something else", { key: [null, true, "first"] }, true],
])("an output is hidden where it holds a secret: %s", (_, value, isShown) => {
  const shown = { name: "o", value: isShown ? value : null, sensitive: !isShown };
  expect(shownOutputs({ o: { value, sensitive: false } }, SECRETS)).toEqual([shown]);
});

test("an output is hidden where the configuration says so", () => {
  expect(shownOutputs({ o: { value: "public", sensitive: true } }, [])).toEqual([
    { name: "o", value: null, sensitive: true },
  ]);
});
