import { describe, expect, it } from "vitest";
import { parseExactJson } from "../../../src/model/kit/exact-json.ts";
import { compareStates, type ComparisonOptions } from "../../../src/model/state/state-comparison.ts";
import {
  DEPENDENCIES_SHOWN,
  stateAddresses,
  stateInstances,
  stateOutputs,
} from "../../../src/model/state/state-file.ts";

const OPTIONS: ComparisonOptions = {
  showValues: true,
  secrets: [],
  maxResources: 100,
  maxValues: 100,
  maxValueLength: 4096,
};
const PROVIDER = 'provider["terraform.io/builtin/terraform"]';

const resource = (name: string, attributes: object, more: object = {}, instance: object = {}) => ({
  mode: "managed",
  type: "terraform_data",
  name,
  provider: PROVIDER,
  instances: [{ attributes, sensitive_attributes: [], ...instance }],
  ...more,
});
const state = (resources: object[], outputs: object = {}) => ({ version: 4, serial: 1, resources, outputs });
const compare = (before: unknown, after: unknown, more: Partial<ComparisonOptions> = {}) =>
  compareStates(before, after, { ...OPTIONS, ...more });

it("names instances as the engine does, and leaves data sources out", () => {
  const instances = [{ index_key: 0 }, { index_key: 'a"b${c' }, { deposed: "0af1" }, {}];
  const document = state([
    resource("a", {}, { module: 'module.m["x"]', instances }),
    resource("b", {}, { mode: "data" }),
  ]);
  const found = [...stateInstances(document)];
  expect(found.map(({ address }) => address)).toEqual([
    'module.m["x"].terraform_data.a[0]',
    'module.m["x"].terraform_data.a["a\\"b$${c"]',
    'module.m["x"].terraform_data.a (deposed 0af1)',
    'module.m["x"].terraform_data.a',
  ]);
  expect(found[0]).toMatchObject({ module: 'module.m["x"]', provider: "terraform.io/builtin/terraform" });
  const [first = ""] = found.map(({ address }) => address);
  expect(stateAddresses(document)).toEqual([
    first,
    'module.m["x"].terraform_data.a["a\\"b$${c"]',
    'module.m["x"].terraform_data.a',
    'module.m["x"].terraform_data.a',
    "data.terraform_data.b",
  ]);
  for (const nonsense of [null, [], "x", { resources: 1 }, { resources: [null, { instances: [1] }] }]) {
    expect([...stateInstances(nonsense)]).toEqual([]);
    expect(stateAddresses(nonsense)).toEqual([]);
  }
});

it("counts what was added, changed and removed", () => {
  const before = state([
    resource("gone", {}),
    resource("kept", { a: 1, b: [1, { c: 2 }] }),
    resource("same", { x: 1 }),
  ]);
  const after = state([
    resource("same", { x: 1 }),
    resource("kept", { b: [1, { c: 3 }], a: 1, d: true }),
    resource("new", {}),
  ]);
  const found = compare(before, after);
  expect(found).toMatchObject({ addedCount: 1, changedCount: 1, removedCount: 1, outputs: [] });
  expect(found.resources.map(({ action, address }) => [action, address])).toEqual([
    ["REMOVED", "terraform_data.gone"],
    ["CHANGED", "terraform_data.kept"],
    ["ADDED", "terraform_data.new"],
  ]);
  expect(found.resources[1]?.attributes).toEqual([
    { name: "b", before: [1, { c: 2 }], after: [1, { c: 3 }], sensitive: false, omitted: false },
    { name: "d", before: null, after: true, sensitive: false, omitted: false },
  ]);
  expect(compare(after, after)).toMatchObject({ addedCount: 0, changedCount: 0, removedCount: 0, resources: [] });
});

it("sees a taint, and digits that no double holds", () => {
  const tainted = compare(state([resource("a", {})]), state([resource("a", {}, {}, { status: "tainted" })]));
  expect(tainted.resources[0]?.attributes).toMatchObject([{ name: "(tainted)", before: false, after: true }]);
  const number = (digits: string) =>
    parseExactJson(JSON.stringify(state([resource("a", { n: 0 })])).replace('"n":0', `"n":${digits}`));
  const exact = compare(number("12345678901234567890"), number("12345678901234567891"));
  expect(exact.resources[0]?.attributes).toMatchObject([{ after: "12345678901234567891" }]);
});

describe("what is not shown", () => {
  const marked = { sensitive_attributes: [[{ type: "get_attr", value: "password" }]] };
  const shown = (before: unknown, after: unknown, more: Partial<ComparisonOptions> = {}) => {
    const { resources, outputs } = compare(before, after, more);
    return [...resources.flatMap(({ attributes }) => attributes), ...outputs];
  };
  const HIDDEN = { before: null, after: null, sensitive: true, omitted: false };
  const LEFT_OUT = { before: null, after: null, sensitive: false, omitted: true };

  it("is what the engine calls sensitive on either side, and the same text elsewhere", () => {
    const before = state([resource("a", { password: "canary-1", note: "x" })]);
    const after = state([resource("a", { password: "canary-2", note: "it is canary-2" }, {}, marked)]);
    expect(shown(before, after)).toEqual([
      { name: "note", ...HIDDEN },
      { name: "password", ...HIDDEN },
    ]);
    const outputs = [
      { o: { value: "canary-3", sensitive: true } },
      { o: { value: "plain" }, p: { value: ["a canary-3"] } },
    ];
    expect(shown(state([], outputs[0]), state([], outputs[1]))).toEqual([
      { name: "o", ...HIDDEN, action: "CHANGED" },
      { name: "p", ...HIDDEN, action: "ADDED" },
    ]);
  });

  it("is not what lies beside a sensitive part, stored as it is or beside its type", () => {
    const path = ["input", "login", "password"].map((value) => ({ type: "get_attr", value }));
    const login = (password: string) => ({ name: "public-name", login: { user: "public-user", password } });
    const type = ["object", { name: "string", login: ["object", { user: "string", password: "string" }] }];
    const typed = (password: string) => ({ value: login(password), type });
    for (const form of [login, typed]) {
      const of = (password: string, note: string) =>
        state([
          resource("a", { input: form(password) }, {}, { sensitive_attributes: [path] }),
          resource("b", { copy: password, note }),
        ]);
      const found = shown(of("canary-1", "string"), of("canary-2", "object of public-user, public-name"));
      expect(found).toMatchObject([
        { name: "input", ...HIDDEN },
        { name: "copy", ...HIDDEN },
        { name: "note", after: "object of public-user, public-name", sensitive: false },
      ]);
    }
  });

  it("is all of a resource that is sensitive as a whole", () => {
    const whole = { sensitive_attributes: [[]] };
    const found = shown(state([resource("a", { b: "old" })]), state([resource("a", { b: "new" }, {}, whole)]));
    expect(found).toEqual([{ name: "b", ...HIDDEN }]);
  });

  it("is not the word for the type of something sensitive", () => {
    const of = (value: string, password: unknown) => {
      const attributes = { note: { value, type: "string" }, password };
      return state([resource("a", attributes, {}, marked)]);
    };
    const typed = of("new", { value: "canary-1", type: "string" });
    expect(shown(of("old", null), typed)).toMatchObject([{ name: "note", sensitive: false }, { name: "password" }]);
    const secret = of("new secret-type", { value: "canary-1", type: "secret-type" });
    expect(shown(of("old", null), secret)).toMatchObject([{ name: "note", sensitive: true }, { name: "password" }]);
  });

  it("is what holds a known secret, also where JSON escapes it or it has lines", () => {
    const after = state([resource("a", { key: 'the "hello" twice', other: "second line", plain: "first" })]);
    const found = shown(state([resource("a", {})]), after, { secrets: ['the "hello"', "x\nsecond line\n", "first "] });
    expect(found.map(({ name, sensitive }) => [name, sensitive])).toEqual([
      ["key", true],
      ["other", true],
      ["plain", false],
    ]);
  });

  it("is what is too long, and everything where the caller may see no values", () => {
    const after = state([resource("a", { long: "x".repeat(5000), short: "y" })]);
    expect(shown(state([resource("a", {})]), after)).toMatchObject([{ name: "long", ...LEFT_OUT }, { after: "y" }]);
    const hidden = shown(state([resource("a", {})]), after, { showValues: false });
    expect(hidden).toEqual(["long", "short"].map((name) => ({ name, ...LEFT_OUT })));
  });

  it("is more than was asked for, but it is counted", () => {
    const many = state(Array.from({ length: 50 }, (_, index) => resource(`r${index}`, {})));
    const found = compare(many, state([resource("new", {})]), { maxResources: 10 });
    expect(found).toMatchObject({ removedCount: 50, addedCount: 1 });
    expect(found.resources).toHaveLength(10);
  });
});

describe("what differs", () => {
  const attribute = (value: unknown) => state([resource("a", { value })]);

  it.each([
    ["", {}],
    [1, {}],
    [null, {}],
    [[], {}],
    [[1], { 0: 1, length: 1 }],
    [[1], [1, 2]],
    [[1], [2]],
    [[null], []],
    [
      [1, [2, 3]],
      [1, [2, 4]],
    ],
    [{ a: 1 }, { a: 1, b: null }],
    [{ a: null }, { b: null }],
    ["1", 1],
  ])("is a value that is another one: %j, %j", (one, other) => {
    for (const [before, after] of [
      [one, other],
      [other, one],
    ]) {
      const { resources } = compare(attribute(before), attribute(after));
      expect(resources).toMatchObject([{ action: "CHANGED", attributes: [{ name: "value", before, after }] }]);
    }
  });

  it.each([[[1, { a: null }, []]], [{ a: [{ b: "c" }] }], [null], [""]])("is not an equal value: %j", (value) => {
    expect(compare(attribute(value), attribute(structuredClone(value))).changedCount).toBe(0);
  });

  it("is the provider of a resource", () => {
    const after = state([resource("a", {}, { provider: "example.com/own/provider" })]);
    expect(compare(state([resource("a", {})]), after).resources).toMatchObject([
      {
        action: "CHANGED",
        provider: "example.com/own/provider",
        attributes: [
          {
            name: "(provider)",
            before: "terraform.io/builtin/terraform",
            after: "example.com/own/provider",
            sensitive: false,
          },
        ],
      },
    ]);
  });

  it("is in the order of addresses, and of names", () => {
    const names = ["c", "a", "d", "b"];
    const all = (value: number) => state(names.map((name) => resource(name, { value })));
    const addresses = names.toSorted().map((name) => `terraform_data.${name}`);
    const order = (before: unknown, after: unknown): string[] =>
      compare(before, after).resources.map(({ address }) => address);
    for (const [before, after] of [
      [all(1), all(2)],
      [all(1), state([])],
      [state([]), all(1)],
    ]) {
      expect(order(before, after)).toEqual(addresses);
    }
    const outputs = (value: number) => state([], Object.fromEntries(names.map((name) => [name, { value }])));
    expect(compare(outputs(1), outputs(2)).outputs.map(({ name }) => name)).toEqual(names.toSorted());
  });

  it("is shown up to as many values as were asked for", () => {
    const many = (value: number) =>
      state([resource("a", { x: value, y: value, z: value })], { x: { value }, y: { value }, z: { value } });
    const { resources, outputs } = compare(many(1), many(2), { maxValues: 2 });
    expect(resources[0]?.attributes.map(({ name }) => name)).toEqual(["x", "y"]);
    expect(outputs.map(({ name }) => name)).toEqual(["x", "y"]);
  });
});

it("has the outputs that were added, changed and removed, and those that became secret or public", () => {
  const before = state([], {
    changed: { value: 1 },
    gone: { value: "old" },
    published: { value: "same-1", sensitive: true },
    same: { value: [1] },
    secret: { value: "same-2" },
    still: { value: "same-3", sensitive: true },
  });
  const after = state([], {
    changed: { value: 2 },
    new: { value: true },
    published: { value: "same-1" },
    same: { value: [1] },
    secret: { value: "same-2", sensitive: true },
    still: { value: "same-3", sensitive: true },
  });
  const open = { sensitive: false, omitted: false };
  const hidden = { before: null, after: null, sensitive: true, omitted: false };
  expect(compare(before, after).outputs).toEqual([
    { name: "changed", before: 1, after: 2, ...open, action: "CHANGED" },
    { name: "gone", before: "old", after: null, ...open, action: "REMOVED" },
    { name: "new", before: null, after: true, ...open, action: "ADDED" },
    { name: "published", ...hidden, action: "CHANGED" },
    { name: "secret", ...hidden, action: "CHANGED" },
  ]);
});

it("hides an output that is secret on one side alone, however short it is", () => {
  const outputs = (value: string, isFirst: boolean) =>
    state([], { a: { value, sensitive: isFirst }, b: { value, sensitive: !isFirst } });
  const hidden = { before: null, after: null, sensitive: true };
  expect(compare(outputs("x", true), outputs("y", false)).outputs).toMatchObject([hidden, hidden]);
});

it("hides texts from six characters on, at any place, and none for being in a public output", () => {
  const outputs = { public: { value: "public-text" } };
  const after = state([resource("a", { end: "ends with secret", short: "five5", same: "public-text" })], outputs);
  const { resources } = compare(state([resource("a", {})], outputs), after, { secrets: ["  secret\t", "five5"] });
  expect(resources[0]?.attributes).toMatchObject([
    { name: "end", sensitive: true },
    { name: "same", after: "public-text", sensitive: false },
    { name: "short", after: "five5", sensitive: false },
  ]);
});

it("shows a value of exactly the greatest length", () => {
  const after = state([resource("a", { fits: "123456", long: "1234567" })]);
  const { resources } = compare(state([resource("a", {})]), after, { maxValueLength: 8 });
  expect(resources[0]?.attributes).toMatchObject([
    { name: "fits", after: "123456", omitted: false },
    { name: "long", after: null, omitted: true },
  ]);
});

describe("a state that is not as the engine writes it", () => {
  it("has no outputs where there are none", () => {
    for (const nonsense of [null, [], "x", {}, { outputs: null }, { outputs: ["x"] }, { outputs: { a: null, b: 1 } }]) {
      expect([...stateOutputs(nonsense)]).toEqual([]);
    }
    expect(stateOutputs({ outputs: { a: {}, b: { value: 1, sensitive: "yes" } } })).toEqual(
      new Map([
        ["a", { value: null, sensitive: false }],
        ["b", { value: 1, sensitive: false }],
      ]),
    );
  });

  it("has attributes where older providers leave theirs, and none where they are no object", () => {
    const attributesOf = (instance: object): unknown =>
      [...stateInstances(state([resource("a", {}, { instances: [instance] })]))][0]?.attributes;
    expect(attributesOf({ attributes_flat: { id: "1" } })).toEqual({ id: "1" });
    for (const attributes of [null, [], ["x"], "x", 1]) expect(attributesOf({ attributes })).toEqual({});
  });

  it("depends on what the engine has stored, without what is no address, and on no more than is shown", () => {
    const dependsOn = (dependencies: unknown): string[] | undefined =>
      [...stateInstances(state([resource("a", {}, { instances: [{ dependencies }] })]))][0]?.dependsOn;
    expect(dependsOn(["module.net.aws_vpc.main", 7, null, "data.aws_ami.base"])).toEqual([
      "module.net.aws_vpc.main",
      "data.aws_ami.base",
    ]);
    for (const dependencies of [undefined, null, "x", {}]) expect(dependsOn(dependencies)).toEqual([]);
    expect(dependsOn(Array.from({ length: 500 }, (_, at) => `a.b${at}`))).toHaveLength(DEPENDENCIES_SHOWN);
  });

  it("has a provider by its own name, no module, and nothing deposed by no key", () => {
    const instances = [{ deposed: "", attributes: {} }];
    const [found] = stateInstances(state([resource("a", {}, { instances, provider: "provider.aws" })]));
    expect(found).toMatchObject({ address: "terraform_data.a", provider: "provider.aws", module: null });
  });
});
