import { expect, test } from "vitest";
import { parseTemplate } from "../../../src/model/probe/template.ts";

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

test.each([
  ["{{output.url}}", /not known/],
  ["{{outputs.}}", /not known/],
  ["{{outputs.a[x]}}", /not known/],
  ["{{outputs.a[-1]}}", /not known/],
  ["{{outputs.a[*].b[*]}}", /not known/],
  ["{{}}", /not known/],
  ["{{outputs.url", /without its end/],
  ["{{outputs.a[*]}}:{{outputs.b[*]}}", /\[\*\] once/],
])("%s is refused", (text, words) => {
  expect(parseTemplate(text).problem).toMatch(words);
});
