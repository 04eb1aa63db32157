import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eachSensitiveText, sensitiveNames } from "../../../src/model/state/sensitive-attributes.ts";

const attr = (value: string) => ({ type: "get_attr", value });
const index = (value: unknown, type: unknown = typeof value) => ({ type: "index", value: { value, type } });

function texts(attributes: unknown, ...paths: unknown[]): string[] {
  const found: string[] = [];
  eachSensitiveText(attributes, paths, (text) => void found.push(text));
  return found;
}

/** An attribute of any type, as the engine stores it. */
const dynamic = (value: unknown, type: unknown) => ({ value, type });

describe("the sensitive texts of a resource", () => {
  it("are those at the end of each path, through objects, maps, lists and values beside their types", () => {
    const inner = { name: "public-1", login: { user: "public-2", keys: ["secret-1", "public-3"] } };
    const type = ["object", { name: "string", login: ["object", { user: "string", keys: ["list", "string"] }] }];
    const path = [attr("input"), attr("login"), attr("keys"), index(0)];
    expect(texts({ input: inner }, path)).toEqual(["secret-1"]);
    expect(texts({ input: dynamic(inner, type) }, path)).toEqual(["secret-1"]);
    expect(
      texts({ deep: { input: [dynamic(inner, type)] } }, [attr("deep"), attr("input"), index(0), ...path.slice(1)]),
    ).toEqual(["secret-1"]);
    expect(texts({ tags: { "a.b": "secret-2", c: 1234567 } }, [attr("tags"), index("c")])).toEqual(["1234567"]);
  });

  it("are no words of a type, unless those are the value", () => {
    expect(texts({ input: dynamic("secret-1", "string") }, [attr("input")])).toEqual(["secret-1"]);
    expect(texts({ list: [dynamic("secret-1", "string")] }, [attr("list")])).toEqual(["secret-1"]);
    const inner = { value: "secret-1", type: "string" };
    const stored = dynamic(inner, ["object", { value: "string", type: "string" }]);
    expect(texts({ input: stored }, [attr("input")])).toEqual(["secret-1", "string"]);
    expect(texts({ input: stored }, [attr("input"), attr("type")])).toEqual(["string"]);
  });

  it("are words of a type where a value beside its type has them further down", () => {
    const own = { value: "secret-1", type: "string" };
    const ownType = ["object", { value: "string", type: "string" }];
    const deep = dynamic({ x: { y: own } }, ["object", { x: ["object", { y: ownType }] }]);
    expect(texts({ input: deep }, [attr("input"), attr("x"), attr("y")])).toEqual(["secret-1", "string"]);
    const once = dynamic({ x: own }, ["object", { x: ownType }]);
    expect(texts({ input: once }, [attr("input"), attr("x")])).toEqual(["secret-1", "string"]);
  });

  it("are found in an object that only looks like a value beside its type", () => {
    const own = { value: "one", type: "string" };
    expect(texts({ own }, [attr("own"), attr("value")])).toEqual(["one"]);
    expect(texts({ own }, [attr("own"), attr("type")])).toEqual(["string"]);
    expect(texts({ own: { value: { a: "one" }, type: "string" } }, [attr("own"), attr("value"), attr("a")])).toEqual([
      "one",
    ]);
  });

  it("are an element of a set, and all of it where the element is not found", () => {
    const element = { name: "secret-1" };
    expect(texts({ set: [element, { name: "public" }] }, [attr("set"), index(element, ["object", {}])])).toEqual([
      "secret-1",
    ]);
    const changed = [attr("set"), index({ name: "other" }, ["object", {}]), attr("name")];
    expect(texts({ set: [{ name: "a", open: "public" }, { name: "b" }] }, changed)).toEqual(["a", "b"]);
  });

  it("are what has the name of a lost step, and nothing beside it", () => {
    const attributes = { input: { unknown_form: { url: "secret-1", name: "public" }, size: "public" } };
    expect(texts(attributes, [attr("input"), attr("url")])).toEqual(["secret-1"]);
    expect(texts(attributes, [attr("input"), attr("gone")])).toEqual([]);
    const listed = { input: { unknown_form: [{ url: "secret-1" }, { url: "secret-2", name: "public" }] } };
    expect(texts(listed, [attr("input"), attr("url")])).toEqual(["secret-1", "secret-2"]);
    const stored = { input: { unknown_form: dynamic({ type: "secret-1" }, ["object", { type: "string" }]) } };
    expect(texts(stored, [attr("input"), attr("type")])).toEqual(["secret-1"]);
    expect(texts(attributes, [attr("input"), index(3)], [attr("gone"), attr("url")])).toEqual([]);
    const typed = dynamic({ name: "public" }, ["object", { name: "string" }]);
    expect(texts({ input: typed }, [attr("input"), attr("object")])).toEqual([]);
    expect(texts({ list: ["a", "b"] }, [attr("list"), index(5)])).toEqual([]);
  });

  it("are the text with which a path ends too early, and nothing of a null", () => {
    expect(texts({ a: "secret-1", b: "public" }, [attr("a"), attr("x"), index(0)])).toEqual(["secret-1"]);
    expect(texts({ a: dynamic("secret-1", "string") }, [attr("a"), attr("x")])).toEqual(["secret-1"]);
    expect(texts({ a: dynamic(null, "dynamic"), b: null }, [attr("a"), attr("x")], [attr("b"), attr("x")])).toEqual([]);
  });

  it("are all of it where the whole resource is sensitive, and none where the paths are no paths", () => {
    expect(texts({ a: "one", b: dynamic(["two"], ["list", "string"]) }, [])).toEqual(["one", "two"]);
    expect(sensitiveNames([[]])).toBeNull();
    for (const nonsense of [undefined, null, "a", [1, "b", { a: 1 }]]) {
      const found: string[] = [];
      eachSensitiveText({ a: "one" }, nonsense, (text) => void found.push(text));
      expect(found).toEqual([]);
      expect(sensitiveNames(nonsense)).toEqual(new Set());
    }
    expect(sensitiveNames([[attr("a"), attr("b")], [attr("c")]])).toEqual(new Set(["a", "c"]));
  });
});

interface Typed {
  type: unknown;
  value: unknown;
  /** Each text with the path that leads to it. */
  leaves: { path: unknown[]; text: string }[];
}

/** Words of types, so that values look like what stands beside a type. */
const NAMES = ["value", "type", "string", "name", "0", "__proto__"];
const text = fc.tuple(fc.constantFrom("string", "object", "list", "value"), fc.nat()).map((parts) => parts.join("-"));

/** A value with its type, as a configuration can write it. */
const typedValue = fc.letrec<{ value: Typed }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text.map((value): Typed => ({ type: "string", value, leaves: [{ path: [], text: value }] })),
    fc.array(text, { maxLength: 3 }).map(
      (all): Typed => ({
        type: ["map", "string"],
        value: Object.fromEntries(all.map((value, at) => [`k${at}`, value])),
        leaves: all.map((value, at) => ({ path: [index(`k${at}`)], text: value })),
      }),
    ),
    fc.array(tie("value"), { maxLength: 3 }).map(
      (all): Typed => ({
        type: ["tuple", all.map(({ type }) => type)],
        value: all.map(({ value }) => value),
        leaves: all.flatMap(({ leaves }, at) => below(index(at), leaves)),
      }),
    ),
    fc.dictionary(fc.constantFrom(...NAMES), tie("value"), { maxKeys: 3 }).map((fields): Typed => {
      const all = Object.entries(fields);
      return {
        type: ["object", Object.fromEntries(all.map(([name, { type }]) => [name, type]))],
        value: Object.fromEntries(all.map(([name, { value }]) => [name, value])),
        leaves: all.flatMap(([name, { leaves }]) => below(attr(name), leaves)),
      };
    }),
  ),
})).value;

function below(step: unknown, leaves: Typed["leaves"]): Typed["leaves"] {
  return leaves.map(({ path, ...leaf }) => ({ path: [step, ...path], ...leaf }));
}

it("of any value, what the paths lead to is taken and nothing else, stored as it is or beside its type", () => {
  const marked = typedValue.chain((typed) =>
    fc.record({
      typed: fc.constant(typed),
      // A shorter path leads to something larger.
      paths: fc.subarray(typed.leaves).chain((leaves) => {
        return fc.tuple(
          ...leaves.map(({ path }) => fc.nat({ max: path.length }).map((length) => path.slice(0, length))),
        );
      }),
      isDynamic: fc.boolean(),
    }),
  );
  const begins = (path: unknown[], beginning: unknown[]) =>
    JSON.stringify(path.slice(0, beginning.length)) === JSON.stringify(beginning);
  fc.assert(
    fc.property(marked, ({ typed: { type, value, leaves }, paths, isDynamic }) => {
      const attributes = { input: isDynamic ? dynamic(value, type) : value, other: "public" };
      const expected = leaves.filter(({ path }) => paths.some((beginning) => begins(path, beginning)));
      const found = texts(attributes, ...paths.map((path) => [attr("input"), ...path]));
      expect(found.toSorted()).toEqual(expected.map((leaf) => leaf.text).toSorted());
    }),
    { numRuns: 2000 },
  );
});
