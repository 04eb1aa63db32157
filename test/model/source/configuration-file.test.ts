import { describe, expect, it } from "vitest";
import { configurationFiles, scanConfiguration } from "../../../src/model/source/configuration-file.ts";
import { type FileScan, SCANNED_BYTES } from "../../../src/model/source/file-scan.ts";
import { isLeftOut } from "../../../src/model/source/left-out.ts";

function readsAll(reason: string): FileScan {
  return { modules: [], reads: [], unresolved: [reason], readsAll: true };
}

describe("the files of a configuration", () => {
  it("are not those that editors leave behind", () => {
    const names = [
      "a.tf",
      ".a.tf",
      "a.tf~",
      "~a.tf",
      "#a.tf#",
      "#a.tf",
      "a.tf#",
      "a#.tf",
      "a.tf.bak",
      "a.tf.json",
      "atf",
      ".tf",
      "a\nb.tf",
    ];
    expect(configurationFiles(names, null)).toEqual(["a.tf", "~a.tf", "#a.tf", "a#.tf", "a.tf.json", "a\nb.tf"]);
  });

  it("of OpenTofu replace those of the same name and syntax, and are none of Terraform's", () => {
    const names = ["a.tf", "a.tofu", "b.tf.json", "b.tofu.json", "c.tofu", "d.tofu.tf", "e.tf"];
    expect(configurationFiles(names, null)).toEqual(names);
    expect(configurationFiles(names, "terraform")).toEqual(["a.tf", "b.tf.json", "d.tofu.tf", "e.tf"]);
    expect(configurationFiles(names, "tofu")).toEqual(["a.tofu", "b.tofu.json", "c.tofu", "d.tofu.tf", "e.tf"]);
  });
});

it.each([
  ['{ "n" : [ 1 , -2.50 , 3e+10 , 4E5 , true , null ] ,\r\n\t"module" : { "a" : { "source" : "./x" } } }', ["x"]],
  ['{"a":{},"b":[],"module":{"a":{"source":"./x"}}}', ["x"]],
])("the JSON %j is read whatever its white space and numbers", (text, modules) => {
  expect(scanConfiguration("main.tf.json", Buffer.from(text))).toMatchObject({ modules, readsAll: false });
});

it.each([
  "",
  " ",
  "{",
  "{}}",
  "{,}",
  '{"a"',
  '{"a":}',
  '{"a":1',
  '{"a":1,}',
  '{"a" 1}',
  '{"a":1]',
  "{a:1}",
  "{1:1}",
  '{"a":1} x',
  "nul",
  '{"a":1.}',
  '{"a":.5}',
  '{"a":+1}',
  '{"a":--1}',
  '{"a":1e}',
  '{"a":1ee5}',
  '{"a":1e+-5}',
  "[1 2]",
  "[1,]",
  "[,1]",
  "[1}",
  '"a',
  '"a\\x"',
  '"a\nb"',
  "\u00a0{}",
])("%j is no JSON: all is read", (text) => {
  expect(scanConfiguration("main.tf.json", Buffer.from(text))).toEqual(readsAll("it is no JSON"));
});

it.each(["{}", "[]", " [ ] ", "1", "-0.5e-12", "12E+345", "true", "null", '"a\\"b"', '{"a":[[[]]]}'])(
  "%j is JSON that names nothing",
  (text) => {
    const nothing = { modules: [], reads: [], unresolved: [], readsAll: false };
    expect(scanConfiguration("main.tf.json", Buffer.from(text))).toEqual(nothing);
  },
);

it("JSON is read to a depth of 256", () => {
  const nested = (depth: number): Buffer => Buffer.from("[".repeat(depth) + "1" + "]".repeat(depth));
  expect(scanConfiguration("main.tf.json", nested(256)).readsAll).toBe(false);
  expect(scanConfiguration("main.tf.json", nested(257))).toEqual(readsAll("it is nested too deep"));
  const objects = (depth: number): Buffer => Buffer.from('{"a":'.repeat(depth) + "1" + "}".repeat(depth));
  expect(scanConfiguration("main.tf.json", objects(256)).readsAll).toBe(false);
  expect(scanConfiguration("main.tf.json", objects(257))).toEqual(readsAll("it is nested too deep"));
});

it("templates are read to a depth of 64", () => {
  const nested = (depth: number): Buffer => Buffer.from(`a = ${'"${'.repeat(depth - 1)}"x"${'}"'.repeat(depth - 1)}\n`);
  expect(scanConfiguration("main.tf", nested(64)).readsAll).toBe(false);
  expect(scanConfiguration("main.tf", nested(65))).toEqual(readsAll("templates are nested too deep"));
  // Templates one behind the other are not nested.
  const many = Buffer.from('a = "${x}${x}"\n'.repeat(100));
  expect(scanConfiguration("main.tf", many).readsAll).toBe(false);
});

it("a file is read up to 1 MiB", () => {
  const text = (bytes: number): Buffer => Buffer.from(`# ${"x".repeat(bytes - 3)}\n`);
  expect(scanConfiguration("main.tf", text(SCANNED_BYTES)).readsAll).toBe(false);
  expect(scanConfiguration("main.tf", text(SCANNED_BYTES + 1))).toEqual(
    readsAll(`it has more than ${SCANNED_BYTES} bytes`),
  );
  expect(scanConfiguration("main.tf", Buffer.of(0xff))).toEqual(readsAll("it is not encoded in UTF-8"));
});

it("5,000 paths of a file are followed, and no more", () => {
  const paths = (count: number): Buffer =>
    Buffer.from(`a = [${Array.from({ length: count }, (_none, index) => `"../${index}"`).join(",")}]`);
  expect(scanConfiguration("main.tf", paths(5000)).reads).toHaveLength(5000);
  expect(scanConfiguration("main.tf", paths(5001))).toEqual(readsAll("more paths than can be followed"));
});

it("names what cannot be read in one line of at most 120 characters", () => {
  const unresolved = (argument: string) =>
    scanConfiguration("main.tf", Buffer.from(`a = file(${argument})\n`)).unresolved;
  expect(unresolved("f(\n\t  x\n)")).toEqual(["file(f( x ))"]);
  expect(unresolved("x".repeat(114))).toEqual([`file(${"x".repeat(114)})`]);
  expect(unresolved("x".repeat(115))).toEqual([`file(${"x".repeat(115)}...`]);
  const cut = scanConfiguration("main.tf", Buffer.from(`module "a" {\n  source = x ${" ".repeat(300)}+ y\n}\n`));
  expect(cut.unresolved).toEqual(["source = x"]);
  const long = scanConfiguration("main.tf", Buffer.from(`module "a" {\n  source = ${"x".repeat(200)}\n}\n`));
  expect(long.unresolved).toEqual([`source = ${"x".repeat(111)}...`]);
});

it("what engines, git and states leave behind is no part of a source", () => {
  const names = [".git", ".terraform", "terraform.tfstate", "terraform.tfstate.backup", "crash.log"];
  for (const name of names) expect(isLeftOut(name)).toBe(true);
  for (const name of ["main.tf", ".gitignore", ".terraform.lock.hcl", "a.tfstate"]) expect(isLeftOut(name)).toBe(false);
});
