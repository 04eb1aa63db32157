import { expect, it } from "vitest";
import { changedPaths, isSameOrEmpty } from "../../../src/model/kit/changed-paths.ts";

const paths = (before: unknown, after: unknown, most = 100) => changedPaths(before, after, most);

it.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { a: 2 }, ["a"]],
  [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 3 }] } }, ["a.b[1].c"]],
  [{ tags: { "a.b": 1 } }, { tags: { "a.b": 2 } }, ['tags["a.b"]']],
  // A list of another length differs as a whole: its items have other places.
  [{ a: [1, 2] }, { a: [2] }, ["a"]],
  [{ a: 1 }, {}, ["a"]],
  [{ a: null }, {}, []],
  [{ a: { b: 1 } }, { a: null }, ["a"]],
  [{ a: [] }, { a: {} }, ["a"]],
  [{ constructor: 1 }, { constructor: 1 }, []],
  [{}, { constructor: 1 }, ["constructor"]],
  [1, "1", [""]],
  [null, null, []],
  [null, { a: 1 }, [""]],
])("%j and %j differ at %j", (before, after, expected) => {
  expect(paths(before, after)).toEqual(expected);
});

it("gives the paths above where there are too many", () => {
  const many = (value: number) => ({
    tags: Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`t${at}`, value])),
    size: value,
  });
  expect(paths(many(1), many(2), 10)).toHaveLength(10);
  expect(paths(many(1), many(2), 8)).toEqual(["tags", "size"]);
  expect(paths(many(1), many(2), 1)).toEqual([""]);
});

it.each([
  [{ tags: null }, { tags: {} }, []],
  [{ tags: {} }, { tags: [] }, []],
  [{}, { rules: [] }, []],
  [{ tags: { a: 1 } }, { tags: {} }, ["tags.a"]],
  [{ tags: { a: 1 } }, { tags: null }, ["tags"]],
  [{ note: null }, { note: "" }, ["note"]],
])("%j and %j differ at %j where empty and null are equal", (before, after, expected) => {
  expect(changedPaths(before, after, 100, isSameOrEmpty)).toEqual(expected);
});
