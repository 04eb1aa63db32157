import { expect, test } from "vitest";
import { eachText } from "../../../src/model/kit/each-text.ts";
import { isJson } from "../../../src/model/kit/exact-json.ts";
import { isRecord } from "../../../src/model/kit/is-record.ts";
import { keysOf } from "../../../src/model/kit/keys-of.ts";

test("each text and number of a value is found, at any depth and in order", () => {
  const texts: string[] = [];
  eachText({ name: "a", list: ["b", 2, null, true, { deep: ["c"] }], none: null, no: false }, (text) =>
    texts.push(text),
  );
  expect(texts).toEqual(["a", "b", "2", "c"]);
});

test.each([
  [{}, true],
  [{ a: 1 }, true],
  [[], false],
  [null, false],
  ["text", false],
  [1, false],
  [undefined, false],
])("%j is an object of JSON: %s", (value, expected) => {
  expect(isRecord(value)).toBe(expected);
});

test.each([
  [null, true],
  ["a", true],
  [1, true],
  [false, true],
  [[1, ["a", null]], true],
  [{ a: { b: [true] } }, true],
  [undefined, false],
  [[1, undefined], false],
  [{ a: undefined }, false],
  [{ a: 1, b: undefined }, false],
  [{ a: [() => 1] }, false],
  [() => 1, false],
  [1n, false],
])("a value is one of JSON or not: %#", (value, expected) => {
  expect(isJson(value)).toBe(expected);
});

test("the keys of a record are in its order", () => {
  expect(keysOf({ b: 1, a: 2 })).toEqual(["b", "a"]);
});
