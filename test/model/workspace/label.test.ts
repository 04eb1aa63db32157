import { expect, test } from "vitest";
import { isLabel, repeatedKey } from "../../../src/model/workspace/label.ts";

const LONG = "a".repeat(63);

test.each(["env", "env:dev", "a", "A1:B2", "team/web", "a.b_c-d:1.2.3", LONG, `${LONG}:${LONG}`])(
  "%s is a label",
  (text) => {
    expect(isLabel(text)).toBe(true);
  },
);

test.each([
  "",
  ":",
  "env:",
  ":dev",
  "a:b:c",
  " env",
  "env dev",
  "-a",
  "a:-b",
  "ä",
  "a\n",
  `${LONG}a`,
  `a:${LONG}b`,
  "a\0",
])("%j is no label", (text) => {
  expect(isLabel(text)).toBe(false);
});

test("a key that occurs twice is found, with or without a value", () => {
  expect(repeatedKey(["env:dev", "team", "envoy:dev"])).toBeNull();
  expect(repeatedKey(["env:dev", "team", "env:prod"])).toEqual({ key: "env", index: 2 });
  expect(repeatedKey(["env", "env:prod"])).toEqual({ key: "env", index: 1 });
  expect(repeatedKey([])).toBeNull();
});
