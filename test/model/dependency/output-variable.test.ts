import { describe, expect, it } from "vitest";
import { outputVariable } from "../../../src/model/dependency/output-variable.ts";
import type { Json } from "../../../src/model/plan/json.ts";

const engine = (value: Json) => outputVariable({ output: "o", key: "k", category: "ENGINE" }, value, false);
const environment = (value: Json) => outputVariable({ output: "o", key: "k", category: "ENVIRONMENT" }, value, true);

describe("outputVariable", () => {
  it("passes a text as it is", () => {
    expect(engine('a"${b}\n')).toEqual({
      key: "k",
      category: "ENGINE",
      value: 'a"${b}\n',
      sensitive: false,
      hcl: false,
    });
    expect(environment("${x}")).toMatchObject({ value: "${x}", sensitive: true, hcl: false });
  });

  it("writes other values in the engine's syntax", () => {
    expect(engine(5)).toMatchObject({ value: "5", hcl: true });
    expect(engine(true)).toMatchObject({ value: "true", hcl: true });
    expect(engine(null)).toMatchObject({ value: "null", hcl: true });
    expect(engine([1, ["a"], []])).toMatchObject({ value: '[1, ["a"], []]' });
    expect(engine({ "a b": { c: null } })).toMatchObject({ value: '{"a b" = {"c" = null}}' });
    expect(engine({ a: 1, b: 2 })).toMatchObject({ value: '{"a" = 1, "b" = 2}' });
  });

  it("escapes what the engine would read as a template, and escapes that it does not know", () => {
    expect(engine(["${a} %{b} $c"])).toMatchObject({ value: '["$${a} %%{b} $c"]' });
    expect(engine(["\b\f\\b\\\f"])).toMatchObject({ value: String.raw`["\u0008\u000c\\b\\\u000c"]` });
    expect(engine({ "${k}": 1 })).toMatchObject({ value: '{"$${k}" = 1}' });
  });

  it("gives the environment plain numbers, and JSON for the rest", () => {
    expect(environment(5)).toMatchObject({ value: "5", hcl: false });
    expect(environment(false)).toMatchObject({ value: "false", hcl: false });
    expect(environment(null)).toMatchObject({ value: "", hcl: false });
    expect(environment({ a: ["x"] })).toMatchObject({ value: '{"a":["x"]}', hcl: true });
  });
});
