import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/model/plan/json.ts";
import {
  eachMarked,
  eachMarkedBeside,
  type Marks,
  markedPaths,
  marksAnything,
  mergeMarks,
  toMarks,
  withNullWhereMarked,
  withoutMarked,
} from "../../../src/runner/plan/plan-marks.ts";

const parsed = (text: string): Json => JSON.parse(text);
const marksOf = (text: string): Marks => toMarks(JSON.parse(text));

describe("marks", () => {
  test("are true, or structures; nothing else marks", () => {
    expect(toMarks({ a: true, b: [true, false, 1], c: "true", d: null, e: { f: {} } })).toEqual({
      a: true,
      b: [true, false, false],
      c: false,
      d: false,
      e: { f: {} },
    });
    expect(toMarks(undefined)).toBe(false);
    expect(JSON.stringify(marksOf('{"__proto__": true}'))).toBe('{"__proto__":true}');
  });

  test("mark something if any part does", () => {
    for (const marks of ["true", "[false, [true]]", '{"a": {"b": [{"c": true}]}}']) {
      expect(marksAnything(marksOf(marks)), marks).toBe(true);
    }
    for (const marks of ["false", "[]", "{}", "[false, [false]]", '{"a": {"b": [{"c": false}]}}']) {
      expect(marksAnything(marksOf(marks)), marks).toBe(false);
    }
  });

  test("of both sides are merged part by part", () => {
    for (const [one, other, merged] of [
      ["true", "false", "true"],
      ["true", '{"a": false}', "true"],
      ["false", '{"a": true}', '{"a":true}'],
      ["false", "[true]", "[true]"],
      ["false", "false", "false"],
      ["[true, false]", "[false, false, true]", "[true,false,true]"],
      ["[[true], false]", "[[false, true]]", "[[true,true],false]"],
      ['{"a": true, "b": {"c": false}}', '{"b": {"c": true}, "d": false}', '{"a":true,"b":{"c":true},"d":false}'],
      ['{"constructor": false}', '{"toString": true}', '{"constructor":false,"toString":true}'],
      // The shape differs: all of it is marked, or nothing.
      ['{"a": true}', "[false]", "true"],
      ['{"a": false}', "[false, true]", "true"],
      ['{"a": false}', "[false]", "false"],
      ["[]", "{}", "false"],
    ] as const) {
      expect(JSON.stringify(mergeMarks(marksOf(one), marksOf(other))), `${one} ${other}`).toBe(merged);
      expect(mergeMarks(marksOf(other), marksOf(one))).toEqual(parsed(merged));
    }
  });

  test("have paths that are clear for every key", () => {
    expect(markedPaths(marksOf('{"a": {"b-1": [true, {"c.d": true, "_e": true}]}, "f": false, "": true}'))).toEqual([
      "a.b-1[0]",
      'a.b-1[1]["c.d"]',
      "a.b-1[1]._e",
      '[""]',
    ]);
    expect(markedPaths(marksOf('{"1a": true, "-a": true, "a1": true, "a b": true, "é": true, "a\\"": true}'))).toEqual([
      '["1a"]',
      '["-a"]',
      "a1",
      '["a b"]',
      '["é"]',
      '["a\\""]',
    ]);
    expect(markedPaths(marksOf("[false, [true]]"))).toEqual(["[1][0]"]);
    expect(markedPaths(true)).toEqual([""]);
    expect(markedPaths(false)).toEqual([]);
  });
});

describe("a value without its marked parts", () => {
  test.each([
    ['"a"', "true", "null"],
    ['"a"', "false", '"a"'],
    ['"a"', '{"b": true}', '"a"'],
    ["null", "[true]", "null"],
    ["1", "[true]", "1"],
    ['["a", "b", "c"]', "[false, true]", '["a",null,"c"]'],
    ['[["a"], "b"]', "[[true], false]", '[[null],"b"]'],
    ['{"a": 1, "b": {"c": 2, "d": 3}}', '{"b": {"c": true}}', '{"a":1,"b":{"c":null,"d":3}}'],
    ['{"toString": 1, "__proto__": 2}', "{}", '{"toString":1,"__proto__":2}'],
    ['{"__proto__": 2}', '{"__proto__": true}', '{"__proto__":null}'],
    // The shape differs: no part of it is shown if anything is marked.
    ['["a", ["b"]]', '{"x": true}', "[null,null]"],
    ['["a", ["b"]]', '{"x": false}', '["a",["b"]]'],
    ['{"a": 1}', "[false, true]", "null"],
    ['{"a": 1}', "[false]", '{"a":1}'],
  ])("has null in their places: %s, %s", (value, marks, shown) => {
    expect(JSON.stringify(withoutMarked(parsed(value), marksOf(marks)))).toBe(shown);
  });

  test.each([
    ['"a"', "true", "null"],
    [undefined, "true", "null"],
    [undefined, "false", undefined],
    [undefined, "{}", undefined],
    [undefined, "[false]", undefined],
    ['{"a": 1}', "false", '{"a":1}'],
    ['{"a": 1}', '{"b": true, "c": {"d": true}, "e": {"f": false}}', '{"a":1,"b":null,"c":{"d":null}}'],
    ['{"a": {"b": 1}}', '{"a": {"c": true}}', '{"a":{"b":1,"c":null}}'],
    ['{"a": 1}', '{"a": true}', '{"a":null}'],
    [undefined, "[false, true]", "[null,null]"],
    ["[1]", "[false, true]", "[1,null]"],
    ["[1, 2, 3]", "[true]", "[null,2,3]"],
    ["[1, 2, 3]", "[false]", "[1,2,3]"],
    ['{"a": 1}', "[true]", "[null]"],
    ["[1]", '{"a": true}', '{"a":null}'],
    ['"a"', '{"a": true}', '{"a":null}'],
    ["null", '{"a": true}', '{"a":null}'],
  ])("has null where they are missing, too: %s, %s", (value, marks, shown) => {
    const result = withNullWhereMarked(value === undefined ? undefined : parsed(value), marksOf(marks));
    expect(JSON.stringify(result)).toBe(shown);
    // No field is undefined.
    expect(result).toStrictEqual(shown === undefined ? undefined : parsed(shown));
  });
});

describe("the texts of marked parts", () => {
  const marked = (value: unknown, marks: string): string[] => {
    const texts: string[] = [];
    eachMarked(value, marksOf(marks), (text) => texts.push(text));
    return texts;
  };

  test.each([
    ['{"a": "x", "b": [1, "y", true, null]}', "true", ["x", "1", "y"]],
    ['"x"', "false", []],
    ['"x"', '{"a": true}', []],
    ["null", "true", []],
    ['["x", "y", "z"]', "[false, true]", ["y"]],
    ['{"a": "x", "b": "y"}', '{"b": true}', ["y"]],
    ['{"a": {"b": ["x", "y"]}}', '{"a": {"b": [true]}}', ["x"]],
    ['{"constructor": "x"}', "{}", []],
    ['{"constructor": "x"}', '{"constructor": true}', ["x"]],
    // The shape differs: all of it is taken if anything is marked.
    ['["x", {"k": "y"}]', '{"a": true}', ["x", "y"]],
    ['["x", "y"]', '{"a": false}', []],
    ['{"a": "x", "b": "y"}', "[true]", ["x", "y"]],
    ['{"a": "x"}', "[false]", []],
  ])("are taken: %s, %s", (value, marks, texts) => {
    expect(marked(parsed(value), marks)).toEqual(texts);
  });

  test("are none where a value is missing", () => {
    expect(marked(undefined, "true")).toEqual([]);
    expect(marked({ a: undefined }, '{"a": {"b": true}}')).toEqual([]);
  });
});

describe("the texts beside marked parts of another value", () => {
  const beside = (value: string, other: string | undefined, marks: string): string[] => {
    const texts: string[] = [];
    eachMarkedBeside(
      parsed(value),
      { value: other === undefined ? undefined : parsed(other), marks: marksOf(marks) },
      (text) => texts.push(text),
    );
    return texts;
  };

  test.each([
    ['"x"', '"new"', "true", ["x"]],
    ['"x"', '"new"', "false", []],
    ['{"a": "x", "b": "y"}', '{"a": "new"}', '{"a": true}', ["x"]],
    ['{"a": {"b": "x", "c": "y"}}', '{"a": {"b": "new"}}', '{"a": {"b": true}}', ["x"]],
    ['{"toString": "x"}', "{}", '{"a": true}', []],
    ['["x", "y"]', '["new", "open"]', "[true, false]", ["x"]],
    ['[{"k": "x", "n": "y"}]', '[{"k": "new", "n": "y"}]', '[{"k": true}]', ["x"]],
    // An item that is not marked at another index has only moved.
    ['["open", "x"]', '["new", "open", "b"]', "[true, false, true]", []],
    ['["open", "x"]', '["new", "open"]', "[true]", []],
    ['["new", "x"]', '["new", "open"]', "[true, true]", ["new", "x"]],
    ['[[["moved"]], "x"]', '["new", [["moved"]]]', "[true, [[false]]]", []],
    ['["x", "y"]', undefined, "[true]", ["x"]],
    ['["x", "y"]', '{"a": 1}', "[true]", ["x"]],
    ['{"a": ["x"]}', "[1]", '{"a": [true]}', ["x"]],
    ['{"a": ["open", "x"]}', '{"a": ["new", "open"]}', '{"a": [true, false]}', []],
    // Of another shape there is nothing beside the marked part.
    ['{"a": "x"}', '["new"]', "[true]", []],
    ['["x"]', '{"a": "new"}', '{"a": true}', []],
    ['"x"', '{"a": "new"}', '{"a": true}', []],
    ['"x"', '["new"]', "[true]", []],
    ["null", '{"a": "new"}', '{"a": true}', []],
    ['{"a": null}', '{"a": {"b": "new"}}', '{"a": {"b": true}}', []],
  ])("are taken: %s beside %s, %s", (value, other, marks, texts) => {
    expect(beside(value, other, marks)).toEqual(texts);
  });
});

/** Random marks of a random value, of the same shape or another one. */
const marks = fc.letrec<{ marks: Marks }>((tie) => ({
  marks: fc.oneof(
    { depthSize: "small" },
    fc.boolean(),
    fc.array(tie("marks"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", "constructor"), tie("marks"), { maxKeys: 3 }),
  ),
})).marks;
const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Json>("text", 7, null, true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", "constructor"), tie("value"), { maxKeys: 3 }),
  ),
})).value;

const textsIn = (all: Json): number => JSON.stringify(all).match(/"text"|7/g)?.length ?? 0;

test("a text is either shown or taken for sensitive, never both", () => {
  fc.assert(
    fc.property(value, marks, (whole, of) => {
      let taken = 0;
      eachMarked(whole, of, () => {
        taken += 1;
      });
      expect(textsIn(withoutMarked(whole, of)) + taken).toBe(textsIn(whole));
    }),
    { numRuns: 300 },
  );
});

test("merged marks hide what either side hides", () => {
  fc.assert(
    fc.property(value, marks, marks, (whole, one, other) => {
      const merged = mergeMarks(one, other);
      const shown = textsIn(withoutMarked(whole, merged));
      expect(shown).toBeLessThanOrEqual(Math.min(...[one, other].map((each) => textsIn(withoutMarked(whole, each)))));
      expect(merged).toEqual(mergeMarks(other, one));
      expect(marksAnything(merged)).toBe(marksAnything(one) || marksAnything(other));
    }),
    { numRuns: 300 },
  );
});
