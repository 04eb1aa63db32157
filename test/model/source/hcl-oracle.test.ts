/** Compares the scanner with HashiCorp's own parser. */
import { parse } from "@cdktn/hcl2json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanConfiguration } from "../../../src/model/source/configuration-file.ts";
import { isLocalSource, normalisePath } from "../../../src/model/source/file-scan.ts";

/**
 * The local sources that the parser finds; `null` if the file is not valid. A template is no literal. The engine takes modules of
 * one label alone; of these the parser gives an array for each label.
 */
async function expected(text: string): Promise<string[] | null> {
  const parsed: unknown = await parse("main.tf", text).catch(() => null);
  if (typeof parsed !== "object" || parsed === null) return null;
  const modules: unknown = "module" in parsed ? parsed.module : {};
  const byLabel = Object.values(Object(modules));
  if (Array.isArray(modules) || !byLabel.every((blocks) => Array.isArray(blocks))) return null;
  const blocks = byLabel.flat();
  const sources = blocks.map((block): unknown => Object(block).source);
  return [...new Set(sources.filter((source) => typeof source === "string" && isLocalSource(source)))]
    .filter((source) => typeof source === "string" && !/[$%]/.test(source))
    .map((source) => normalisePath(String(source)));
}

const PIECES = [
  'module "a" {\n  source = "./a"\n}\n',
  'module "b" { source = "../b" }\n',
  'module c {\n  source = "./c"\n  count = length([for x in y : x if "}" != x])\n}\n',
  'locals {\n  a = <<EOT\nmodule "x" { source = "./no" }\n${"EOT"}\nEOT\n}\n',
  'locals {\n  a = <<-EOT\n    module "x" {\n      source = "./no"\n    }\n    EOT\n}\n',
  'locals {\n  a = "module \\"x\\" { source = \\"./no\\" }"\n}\n',
  'locals {\n  a = "${"${"}"}"}"\n}\n',
  'locals {\n  a = "%{ if true }{%{ else }}%{ endif }$${ %%{"\n}\n',
  '# module "x" { source = "./no" }\n',
  '// module "x" {\n',
  '/* module "x" {\n source = "./no"\n}\n */\n',
  'resource "a" "b" {\n  source = "./no"\n  c {\n    module {\n      source = "./no"\n    }\n  }\n}\n',
  'variable "v" {}\n',
  "\r\n",
  'output "o" {\n  value = {\n    source = "./no", b = [1,\n 2]\n  }\n}\n',
];
const HOSTILE = [
  '"',
  "${",
  "}",
  "{",
  "<<EOT\n",
  "EOT\n",
  "/*",
  "*/",
  "#",
  "\\",
  "\n",
  "\r\n",
  "module",
  "=",
  "%{",
  "$${",
  "ü",
  "(",
  "]",
];

const file = fc
  .tuple(
    fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }),
    fc.array(fc.record({ at: fc.nat(), cut: fc.nat(3), piece: fc.constantFrom(...HOSTILE, "") }), { maxLength: 3 }),
  )
  .map(([pieces, edits]) => {
    let text = pieces.join("");
    for (const { at, cut, piece } of edits) {
      const place = text.length === 0 ? 0 : at % text.length;
      text = text.slice(0, place) + piece + text.slice(place + cut);
    }
    return text;
  });

describe("the scanner and HashiCorp's parser", () => {
  it("find the same modules in every file that is valid", async () => {
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(file, async (text) => {
        const found = scanConfiguration("main.tf", Buffer.from(text));
        const sources = await expected(text);
        if (sources === null) return;
        valid += 1;
        expect({
          text,
          modules: found.modules.filter((source) => !/[$%]/.test(source)).toSorted(),
          readsAll: found.readsAll,
        }).toEqual({
          text,
          modules: [...new Set(sources)].toSorted(),
          readsAll: false,
        });
      }),
      { numRuns: 400, examples: [['module ü"a" {\n  source = "./a"\n}\n']] },
    );
    expect(valid).toBeGreaterThan(80);
  });

  it("survive any text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), file), fc.constantFrom("a.tf", "a.tf.json"), (text, name) => {
        expect(scanConfiguration(name, Buffer.from(text)).modules).toBeInstanceOf(Array);
      }),
      { numRuns: 200 },
    );
  });
});
