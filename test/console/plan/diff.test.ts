import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { type Changed, type Difference, differences } from "../../../src/console/plan/diff.ts";

const change = (before: unknown, after: unknown, marks: Partial<Changed> = {}): Changed => ({
  before,
  after,
  unknownPaths: [],
  sensitivePaths: [],
  ...marks,
});
const short = (found: readonly Difference[]): unknown[] =>
  found.map(({ path, kind, before, after }) => [path, kind, before, after]);
const of = (before: unknown, after: unknown, marks?: Partial<Changed>): unknown[] =>
  short(differences(change(before, after, marks)));

describe("attributes", () => {
  it.each<[string, unknown, unknown, unknown[]]>([
    ["changed", { a: 1, b: "x" }, { a: 2, b: "x" }, [["a", "CHANGED", 1, 2]]],
    [
      "nested",
      { tags: { Name: "a", Env: "p" } },
      { tags: { Name: "b", Env: "p" } },
      [["tags.Name", "CHANGED", "a", "b"]],
    ],
    ["added", {}, { a: 1 }, [["a", "ADDED", undefined, 1]]],
    [
      "named like a property of every object",
      {},
      { constructor: 1, toString: null },
      [["constructor", "ADDED", undefined, 1]],
    ],
    ["a list that loses an entry without a value", { a: [null] }, { a: [] }, [["a", "CHANGED", [null], []]]],
    ["set where it was null", { a: null }, { a: 1 }, [["a", "ADDED", null, 1]]],
    ["removed", { a: 1 }, {}, [["a", "REMOVED", 1, undefined]]],
    ["null or absent is the same", { a: null }, {}, []],
    ["of a created object", null, { a: 1, b: null }, [["a", "ADDED", undefined, 1]]],
    ["of a destroyed object", { a: 1 }, null, [["a", "REMOVED", 1, undefined]]],
    ["another type", { a: "1" }, { a: 1 }, [["a", "CHANGED", "1", 1]]],
    [
      "whole numbers beyond 53 bits come as texts",
      { a: "9007199254740993" },
      { a: "9007199254740992" },
      [["a", "CHANGED", "9007199254740993", "9007199254740992"]],
    ],
  ])("%s", (_what, before, after, expected) => expect(of(before, after)).toEqual(expected));

  it("that are known after the apply are unknown, also those that the object does not have yet", () => {
    const marks = { unknownPaths: ["id", "arn", "tags.At", "disks[0].id"] };
    const before = { id: "i-1", arn: null, tags: { A: "1" }, disks: [{ id: "d", size: 1 }] };
    const after = { id: null, tags: { A: "1" }, disks: [{ id: null, size: 1 }] };
    expect(of(before, after, marks).map((found) => (found as unknown[]).slice(0, 2))).toEqual([
      ["id", "UNKNOWN"],
      ["tags.At", "UNKNOWN"],
      ["disks[0].id", "UNKNOWN"],
      ["arn", "UNKNOWN"],
    ]);
  });

  it("that are hidden show no value", () => {
    const marks = { sensitivePaths: ["password", "list[1]"] };
    const found = of({ password: "a", list: [1, 2] }, { password: "b", list: [1, 3] }, marks);
    expect(found).toEqual([
      ["password", "SENSITIVE", null, null],
      ["list[1]", "SENSITIVE", null, null],
    ]);
  });
});

describe("lists", () => {
  it.each<[string, unknown[], unknown[], unknown[]]>([
    ["by position", [1, 2], [1, 3], [["l[1]", "CHANGED", 2, 3]]],
    ["that grew", [1], [1, 2], [["l[1]", "ADDED", undefined, 2]]],
    ["in another order", ["a", "b"], ["b", "a"], [["l", "ORDER", ["a", "b"], ["b", "a"]]]],
    [
      "by the identity of their entries",
      [
        { name: "a", v: 1 },
        { name: "b", v: 1 },
        { name: "c", v: 1 },
      ],
      [
        { name: "c", v: 1 },
        { name: "a", v: 2 },
      ],
      [
        ["l[1].v", "CHANGED", 1, 2],
        ["l[1]", "REMOVED", { name: "b", v: 1 }, undefined],
      ],
    ],
    [
      "whose names repeat: by position",
      [{ name: "a" }, { name: "a", v: 1 }],
      [{ name: "a" }, { name: "a", v: 2 }],
      [["l[1].v", "CHANGED", 1, 2]],
    ],
  ])("%s", (_what, before, after, expected) => expect(of({ l: before }, { l: after })).toEqual(expected));
});

describe("texts that are JSON", () => {
  const policy = (action: string) => JSON.stringify({ Statement: [{ Sid: "Read", Action: action }] });

  it("are compared by what they say", () => {
    const [found] = differences(change({ policy: policy("s3:Get") }, { policy: policy("s3:Put") }));
    expect(found).toEqual({
      path: "policy.Statement[0].Action",
      kind: "CHANGED",
      before: "s3:Get",
      after: "s3:Put",
      inJson: true,
    });
  });

  it("that say the same differ in their formatting alone", () => {
    expect(of({ p: '{"a":1,"b":2}' }, { p: '{ "b": 2, "a": 1 }' })).toEqual([
      ["p", "FORMATTING", expect.any(String), expect.any(String)],
    ]);
  });

  it("that are broken are texts", () => {
    expect(of({ p: "{a" }, { p: "{b" })).toEqual([["p", "CHANGED", "{a", "{b"]]);
  });
});

const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.constant(null),
    fc.string({ maxLength: 3 }),
    fc.integer({ min: 0, max: 3 }),
    fc.boolean(),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-c]$/), tie("any"), { maxKeys: 3 }),
  ),
})).any;
const object = fc.dictionary(fc.stringMatching(/^[a-d]$/), value, { maxKeys: 4 });

test("an object does not differ from itself", () => {
  fc.assert(
    fc.property(object, (a) => {
      expect(of(a, structuredClone(a))).toEqual([]);
    }),
  );
});

test("objects that are not equal differ, and each side is found where the difference says", () => {
  fc.assert(
    fc.property(object, object, (a, b) => {
      const found = differences(change(a, b));
      const isSame = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
      expect(found.length === 0).toBe(isSame);
    }),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([key, part]) => [key, sorted(part)]),
  );
}
