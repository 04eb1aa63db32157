import { expect, test } from "vitest";
import type { Json } from "../../../src/model/plan/json.ts";
import {
  hasVariable,
  isList,
  parseTemplate,
  referenceText,
  type Template,
  valuesAt,
} from "../../../src/model/probe/template.ts";

test("a text has literal parts and references", () => {
  expect(parseTemplate("http://{{outputs.nodes[0].ip}}:80/{{ var.PATH }}").template).toEqual([
    "http://",
    {
      type: "output",
      name: "nodes",
      steps: [
        { type: "index", index: 0 },
        { type: "key", key: "ip" },
      ],
    },
    ":80/",
    { type: "variable", name: "PATH" },
  ]);
  expect(parseTemplate("{{outputs.urls[*].host}}").template).toEqual([
    { type: "output", name: "urls", steps: [{ type: "each" }, { type: "key", key: "host" }] },
  ]);
  expect(parseTemplate("{ a }").template).toEqual(["{ a }"]);
});

const UNKNOWN =
  "has a template that is not known: use {{outputs.NAME}}, {{outputs.NAME[0].key}} or {{outputs.NAME[*]}}.";
const WITHOUT_END = "has a template without its end: close it by }}.";

test.each([
  ["{{output.url}}", UNKNOWN],
  ["{{xoutputs.url}}", UNKNOWN],
  ["{{outputs.}}", UNKNOWN],
  ["{{outputs.1a}}", UNKNOWN],
  ["{{outputs.a b}}", UNKNOWN],
  ["{{outputs.a.1}}", UNKNOWN],
  ["{{outputs.a[x]}}", UNKNOWN],
  ["{{outputs.a[]}}", UNKNOWN],
  ["{{outputs.a[-1]}}", UNKNOWN],
  ["{{outputs.a[1234567]}}", UNKNOWN],
  ["{{outputs.a[**]}}", UNKNOWN],
  ["{{outputs.a[*].b[*]}}", UNKNOWN],
  ["{{var.}}", UNKNOWN],
  ["{{var.1}}", UNKNOWN],
  ["{{var.a.b}}", UNKNOWN],
  ["{{xvar.a}}", UNKNOWN],
  ["{{}}", UNKNOWN],
  ["{{outputs.url", WITHOUT_END],
  ["{{outputs.url}}{{", WITHOUT_END],
  ["{{outputs.a[*]}}:{{outputs.b[*]}}", "may have [*] once."],
])("%s is refused", (text, problem) => {
  expect(parseTemplate(text)).toEqual({ template: null, problem });
});

test.each<[string, Template]>([
  ["", [""]],
  ["a", ["a"]],
  ["a}}b", ["a}}b"]],
  ["{{var.a_1-b}}", [{ type: "variable", name: "a_1-b" }]],
  ["{{\nvar._x\n}}", [{ type: "variable", name: "_x" }]],
  ["{{var.a}}{{var.b}} ", [{ type: "variable", name: "a" }, { type: "variable", name: "b" }, " "]],
  ["{{outputs.a-1}}", [{ type: "output", name: "a-1", steps: [] }]],
  ["{{outputs.a[123456]}}", [{ type: "output", name: "a", steps: [{ type: "index", index: 123_456 }] }]],
  ["{{outputs.a._b-2}}", [{ type: "output", name: "a", steps: [{ type: "key", key: "_b-2" }] }]],
])("%j has the parts %j", (text, template) => {
  expect(parseTemplate(text)).toEqual({ template, problem: null });
});

test("a template knows whether it names a variable, or each element of a list", () => {
  const facts = (text: string) => {
    const template = parseTemplate(text).template ?? [];
    return [hasVariable(template), template.some(isList)];
  };
  expect(facts("a{{var.b}}")).toEqual([true, false]);
  expect(facts("a{{outputs.b[0].c}}")).toEqual([false, false]);
  expect(facts("a{{outputs.b[*].c}}")).toEqual([false, true]);
});

test.each(["var.a", "outputs.a", "outputs.a.b[0][*].c"])("%s is printed as it is written", (text) => {
  const [reference = ""] = parseTemplate(`{{${text}}}`).template ?? [];
  expect(typeof reference === "string" ? reference : referenceText(reference)).toBe(text);
});

test.each<[Json, string, readonly Json[] | null]>([
  [1, "", [1]],
  [null, "", [null]],
  [{ a: [1, 2] }, ".a[1]", [2]],
  [{ a: [1, 2] }, ".a[2]", null],
  [{ a: [1, 2] }, ".a[*]", [1, 2]],
  [[{ a: 1 }, { a: 2 }], "[*].a", [1, 2]],
  [[{ a: 1 }, {}], "[*].a", null],
  [[[1], [2, 3]], "[*][0]", [1, 2]],
  [[], "[*]", []],
  [{ a: 1 }, "[*]", null],
  [{ 0: 1 }, "[0]", null],
  [[1], ".length", null],
  [{ a: 1 }, ".b", null],
  [{ a: 1 }, ".a.b", null],
  ["text", ".length", null],
  [null, ".a", null],
])("of %j the steps %j give %j", (value, steps, expected) => {
  const [reference] = parseTemplate(`{{outputs.x${steps}}}`).template ?? [];
  if (typeof reference !== "object" || reference.type !== "output") throw new Error("no output");
  expect(valuesAt(value, reference.steps)).toEqual(expected);
});
