import { expect, test } from "vitest";
import { parseExactJson } from "../../../src/model/kit/exact-json.ts";
import { Masker } from "../../../src/runner/mask/masker.ts";
import { describePlan } from "../../../src/runner/plan/plan-content.ts";
import { parsePlanJson } from "../../../src/runner/plan/plan-json.ts";
import { markedPaths, toMarks, withNullWhereMarked } from "../../../src/runner/plan/plan-marks.ts";
import { sensitiveStateTexts, sensitiveTexts } from "../../../src/runner/plan/plan-secrets.ts";

const change = (actions: string[], more: object = {}) => ({ actions, before: null, after: null, ...more });
const resource = (address: string, actions: string[], more: object = {}, about: object = {}) => {
  const [type = "", name = ""] = address.split(".");
  return { address, mode: "managed", type, name, change: change(actions, more), ...about };
};
const plan = (more: object) => parsePlanJson(JSON.stringify({ format_version: "1.2", ...more })).plan;
const describe = (more: object, targeted = false) => describePlan(plan(more), targeted, new Masker(6));

test("numbers that a double cannot hold are strings", () => {
  const text =
    '{"a":12345678901234567890,"b":0.1,"c":1.50,"d":100000000000000000000,"e":3.14159265358979323846,"f":1e999,"g":-9007199254740993,"h":9007199254740992.000}';
  expect(parseExactJson(text)).toEqual({
    a: "12345678901234567890",
    b: 0.1,
    c: 1.5,
    d: 100000000000000000000,
    e: "3.14159265358979323846",
    f: "1e999",
    g: "-9007199254740993",
    h: 9007199254740992,
  });
});

test("paths of marked parts, in a form that is clear for every key", () => {
  const marks = toMarks({ tags: { Name: true, "a.b": true, x: false }, disks: [{}, { key: true }], "0": true });
  expect(markedPaths(marks).sort()).toEqual(['["0"]', "disks[1].key", 'tags["a.b"]', "tags.Name"].sort());
  expect(markedPaths(toMarks(true))).toEqual([""]);
  expect(withNullWhereMarked({ a: 1 }, toMarks({ b: true, c: { d: true }, e: {} }))).toEqual({
    a: 1,
    b: null,
    c: { d: null },
  });
});

test("sensitive values are null on both sides, also under keys that objects have anyway", () => {
  const before = JSON.parse('{"__proto__":"public","constructor":"hidden-before","s":{"k":"hidden-1"},"n":1}');
  const more = {
    before,
    after: { s: { k: "hidden-2" }, n: 2 },
    before_sensitive: { constructor: true },
    after_sensitive: { s: { k: true } },
  };
  const { resourceChanges } = describe({ resource_changes: [resource("a.b", ["update"], more)] });
  expect(JSON.stringify(resourceChanges[0]?.before)).toBe(
    '{"__proto__":"public","constructor":null,"s":{"k":null},"n":1}',
  );
  expect(resourceChanges[0]).toMatchObject({ after: { s: { k: null }, n: 2 }, sensitivePaths: ["constructor", "s.k"] });
});

test("whole values that are sensitive or unknown", () => {
  const more = { before: "hidden", before_sensitive: true, after_unknown: true, after_sensitive: false };
  const { resourceChanges } = describe({ resource_changes: [resource("a.b", ["update"], more)] });
  expect(resourceChanges[0]).toMatchObject({ before: null, after: null, sensitivePaths: [""], unknownPaths: [""] });
});

test("actions that terraform_data cannot show: reads, deposed objects, forgetting replacements, imports with a difference", () => {
  const { resourceChanges, counts } = describe({
    resource_changes: [
      resource("data.x", ["read"]),
      resource("a.deposed", ["delete"], {}, { deposed: "0123abcd" }),
      resource("a.forgotten", ["create", "forget"]),
      resource("a.imported", ["update"], { importing: { id: "x" } }),
      resource("a.same", ["no-op"]),
      resource("a.moved", ["no-op"], {}, { previous_address: "a.old" }),
    ],
  });
  expect(resourceChanges.map(({ address, action }) => [address, action])).toEqual([
    ["a.deposed (deposed object 0123abcd)", "DELETE"],
    ["a.forgotten", "REPLACE"],
    ["data.x", "READ"],
    ["a.imported", "UPDATE"],
    ["a.moved", "NO_OP"],
  ]);
  expect(counts).toEqual({
    additions: 0,
    changes: 1,
    destructions: 1,
    replacements: 1,
    imports: 1,
    moves: 1,
    forgets: 1,
  });
});

test("complete as the engine says; without its word no targets and nothing deferred", () => {
  expect(describe({ complete: false }).complete).toBe(false);
  expect(describe({}).complete).toBe(true);
  expect(describe({}, true).complete).toBe(false);
  expect(describe({ deferred_changes: [{}] }).complete).toBe(false);
});

test("sensitive texts are found wherever a plan has them", () => {
  const values = {
    outputs: { o: { sensitive: true, value: ["out"] }, p: { sensitive: false, value: "public" } },
    root_module: {
      child_modules: [
        { resources: [{ values: { a: [{ b: "nested", c: "public" }] }, sensitive_values: { a: [{ b: true }] } }] },
      ],
    },
  };
  const found = sensitiveTexts(
    plan({
      variables: { v: { value: { k: "var-value" } }, w: { value: "public" } },
      prior_state: { values },
      resource_changes: [
        resource("a.b", ["update"], {
          before: { s: "before" },
          after: { s: "after" },
          before_sensitive: {},
          after_sensitive: { s: true },
        }),
      ],
      output_changes: { o: change(["update"], { after: 1234567, after_sensitive: true }) },
      configuration: {
        root_module: {
          variables: { v: { sensitive: true, default: "default" }, w: {} },
          module_calls: {
            m: {
              expressions: { q: { constant_value: "constant" } },
              module: { variables: { q: { sensitive: true } } },
            },
          },
        },
      },
    }),
  );
  expect(found.sort()).toEqual(["1234567", "after", "before", "constant", "default", "nested", "out", "var-value"]);
});

test("parts of a plan that are missing or of another shape have no sensitive texts", () => {
  const variables = { v: { sensitive: true, default: "default" } };
  const configuration = { root_module: { variables, module_calls: { m: null, n: {} } } };
  const planned_values = { root_module: { resources: [null, "x", { values: "y", sensitive_values: true }] } };
  expect(sensitiveTexts(plan({ configuration, planned_values })).sort()).toEqual(["default", "y"]);
  expect(sensitiveTexts(plan({ configuration, variables: { w: { value: "public" } } }))).toEqual(["default"]);
});

test("sensitive texts of a state", () => {
  const path = [
    { type: "get_attr", value: "input" },
    { type: "index", value: { value: "k", type: "string" } },
  ];
  const typed = { value: { k: "dynamic", l: "public" }, type: ["map", "string"] };
  const instances = [{ k: "attribute", l: "public" }, typed, null].map((input) => {
    return { attributes: { input }, sensitive_attributes: [path] };
  });
  const state = {
    outputs: { o: { value: { value: "output", type: "string" }, sensitive: true }, p: { value: "public" } },
    resources: [{ instances }, { instances: [null, {}] }, {}, null],
  };
  expect(sensitiveStateTexts(state)).toEqual(["output", "string", "attribute", "dynamic"]);
  for (const nonsense of [undefined, null, [], { outputs: [1], resources: {} }, { outputs: { o: null, p: 1 } }]) {
    expect(sensitiveStateTexts(nonsense)).toEqual([]);
  }
});
