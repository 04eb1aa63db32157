import fc from "fast-check";
import { expect, it } from "vitest";
import { pickJson } from "../../../src/model/repository/json-pick.ts";

const pick = (text: string, ...wanted: string[]) => {
  const found = pickJson(Buffer.from(text), wanted);
  return found === null ? null : Object.fromEntries(found);
};

it("picks texts and whole numbers at their paths", () => {
  const text = '{"a": [{"id": 9}], "repository": {"x": {"id": 8}, "id": 7, "full_name": "a\\u002fb"}, "id": 1}';
  expect(pick(text, "repository.id", "repository.full_name")).toEqual({
    "repository.id": "7",
    "repository.full_name": "a/b",
  });
});

it.each([
  ["a quote that is escaped", '{"a":"\\\\\\"b\\\\","id":1}', { id: "1" }],
  ["brackets in texts", '{"a":"}{][","id":1}', { id: "1" }],
  ["other words", '{"a":true,"b":null,"c":-1.5e+3,"id":1}', { id: "1" }],
  ["a number that is not whole", '{"id":1.5}', {}],
  ["an object in its place", '{"id":{"id":1}}', {}],
  ["a list in its place", '{"id":[1]}', {}],
  ["the first of two", '{"id":1,"id":2}', { id: "1" }],
  ["a text that is too long", `{"id":"${"x".repeat(501)}"}`, {}],
  ["nothing, but a text that is just short enough", `{"id":"${"x".repeat(500)}"}`, { id: "x".repeat(500) }],
  ["a text or a number at the root", '"id"', {}],
  ["a name that is too long", `{"${"x".repeat(501)}":2,"id":1}`, { id: "1" }],
  ["a name with a point", '{"a.id":2,"id":1}', { id: "1" }],
  ["no object", "7", {}],
])("passes over %s", (_words, text, found) => {
  expect(pick(text, "id")).toEqual(found);
});

it.each([
  "",
  "{",
  '{"a"',
  '{"a":',
  '{"a":"',
  "nul",
  "{]",
  '{"a":1}x',
  '{"a":\\"b"}',
  '["\\q", {}]',
  '{"id":1,}',
  '{"a":01}',
  '{"id":1} {}',
])("refuses %s", (text) => {
  expect(pick(text, "id")).toBeNull();
});

it("refuses what is nested too deep, and reads 25 MiB in one pass", () => {
  expect(pick("[".repeat(101), "id")).toBeNull();
  expect(pick(`${"[".repeat(99)}1${"]".repeat(99)}`, "id")).toEqual({});
  const text = `{"a":[${'"\\"x",'.repeat(4_000_000)}1],"id":3}`;
  expect(pick(text, "id")).toEqual({ id: "3" });
});

it("picks nothing at an empty path, or at the beginning of another name", () => {
  expect(pick('{"":1,"i":2,"id":{"x":3},"idx":4}', "id.x")).toEqual({ "id.x": "3" });
  expect(pick('{"":{"id":1},"id":2}', "id")).toEqual({ id: "2" });
});

it("agrees with JSON.parse on what any text has there", () => {
  const leaf = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.integer());
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      fc.jsonValue(),
      leaf,
      fc.dictionary(fc.constantFrom("a", "b", "c"), tie("any")),
    ),
  })).any;
  fc.assert(
    fc.property(value, fc.constantFrom("a", "a.b", "b.c", "a.b.c"), (content, path) => {
      let wanted: unknown = content;
      for (const name of path.split(".")) {
        wanted =
          typeof wanted === "object" && wanted !== null && !Array.isArray(wanted) && Object.hasOwn(wanted, name)
            ? Reflect.get(wanted, name)
            : undefined;
      }
      const isPicked =
        typeof wanted === "string" || (typeof wanted === "number" && /^-?\d+$/.test(JSON.stringify(wanted)));
      expect(pick(JSON.stringify(content, null, 1), path)).toEqual(isPicked ? { [path]: String(wanted) } : {});
    }),
  );
});
