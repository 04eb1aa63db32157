import { expect, test } from "vitest";
import { dynamicValue } from "../../../src/model/state/dynamic-value.ts";

test.each([
  ["a", "string"],
  [1.5, "number"],
  ["12345678901234567890", "number"],
  [false, "bool"],
  [null, "dynamic"],
  [null, ["list", "string"]],
  [{ value: 1, type: "number" }, "dynamic"],
  [[], ["list", "dynamic"]],
  [
    ["a", null],
    ["set", "string"],
  ],
  [{ a: 1 }, ["map", "number"]],
  [
    ["a", 1],
    ["tuple", ["string", "number"]],
  ],
  [{ value: "a", type: ["b"] }, ["object", { value: "string", type: ["tuple", ["string"]] }]],
  [{ a: null, b: "x" }, ["object", { a: "number", b: "string" }, ["a"]]],
])("%j is stored beside its type %j", (value, type) => {
  expect(dynamicValue({ value, type })).toEqual({ value });
});

test.each([
  [{ value: "a" }],
  [{ value: "a", type: "string", more: 1 }],
  [{ value: "a", type: "secret-type" }],
  [{ value: "a", type: "toString" }],
  [{ value: "a", type: "number-like" }],
  [{ value: 1, type: "string" }],
  [{ value: "a", type: "dynamic" }],
  [{ value: "a", type: "bool" }],
  [{ value: [1], type: "number" }],
  [{ value: "a1", type: "number" }],
  [{ value: "1a", type: "number" }],
  [{ value: null, type: ["list", null] }],
  [{ value: [], type: ["tuple", "string"] }],
  [{ value: [null], type: ["tuple", ["a secret"]] }],
  [{ value: ["a"], type: ["tuple", ["string", "number"]] }],
  [{ value: [], type: ["object", {}] }],
  [{ value: 1, type: ["object", {}] }],
  [{ value: { a: "x" }, type: ["object", { a: "number" }] }],
  [{ value: { a: 1 }, type: ["object", { a: "number" }, ["a"], "more"] }],
  [{ value: null, type: ["list", "a secret"] }],
  [{ value: ["a"], type: ["list"] }],
  [{ value: ["a"], type: ["list", "string", "more"] }],
  [{ value: ["a", "b"], type: ["tuple", ["string"]] }],
  [{ value: [1], type: ["tuple", ["string"]] }],
  [{ value: { a: 1 }, type: ["list", "number"] }],
  [{ value: { a: "x" }, type: ["map", "number"] }],
  [{ value: { a: 1 }, type: ["object", { b: "number" }] }],
  [{ value: { a: 1 }, type: ["object", { a: "number", b: "number" }] }],
  [{ value: { a: 1 }, type: ["object", { a: "number" }, "a"] }],
  [{ value: { a: 1 }, type: ["object", ["number"]] }],
  [{ value: ["a"], type: ["vector", "string"] }],
  [{ value: "a", type: null }],
  [["a", "string"]],
  ["a"],
  [null],
])("%j is stored as it is", (stored) => {
  expect(dynamicValue(stored)).toBeNull();
});
