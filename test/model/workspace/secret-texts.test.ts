import { expect, test } from "vitest";
import { secretTexts } from "../../../src/model/workspace/secret-texts.ts";

test("an expression's texts and numbers are secret, as the engine shows them one by one", () => {
  const value = '{ password = "a\\"b", account = 987654321, share = -12.75, of = var.x1 }';
  const texts = secretTexts([{ value, sensitive: true, hcl: true }]);
  expect(texts).toEqual(expect.arrayContaining([value, 'a"b', "987654321", "-12.75"]));
  expect(texts).not.toContain("1");
});

test("a text is secret as a whole, and only where it is sensitive", () => {
  expect(secretTexts([{ value: "code 123456", sensitive: true, hcl: false }])).toEqual(["code 123456"]);
  expect(secretTexts([{ value: "{ a = 123456 }", sensitive: false, hcl: true }])).toEqual([]);
});

test("an expression whose quotes do not end is read once", () => {
  const value = `{ a = "first", b = "${'\\"'.repeat(120_000)} }`;
  expect(secretTexts([{ value, sensitive: true, hcl: true }])).toEqual([value, "first", "first"]);
});

test.each([
  ["1", ["1"]],
  ["-1.5, 22", ["-1.5", "22"]],
  ["x1, 1x, a.1, 1.a, v1.2", []],
  ["1.2.3", []],
  ['"$${a} %%{b} \\u0041"', ["$${a} %%{b} \\u0041", "${a} %{b} A"]],
  ['"a" + "b\\x"', ["a", "a", "b\\x", ""]],
  ['""', ["", ""]],
])("of the expression %s these texts are secret, too", (value, texts) => {
  expect(secretTexts([{ value, sensitive: true, hcl: true }])).toEqual([value, ...texts]);
});
