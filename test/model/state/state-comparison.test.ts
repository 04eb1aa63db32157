import { describe, expect, it } from "vitest";
import { parseExactJson } from "../../../src/model/kit/exact-json.ts";
import { compareStates, type ComparisonOptions } from "../../../src/model/state/state-comparison.ts";
import { stateAddresses, stateInstances } from "../../../src/model/state/state-file.ts";

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

it("tells what was added, changed and removed", () => {
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

  it("is not what stands beside a sensitive part, stored as it is or beside its type", () => {
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
    const after = state([resource("a", { key: 'say "hello" twice', other: "second line", plain: "first" })]);
    const found = shown(state([resource("a", {})]), after, { secrets: ['say "hello"', "x\nsecond line\n", "first "] });
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
