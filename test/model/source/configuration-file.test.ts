import { describe, expect, it } from "vitest";
import { configurationFiles, scanConfiguration } from "../../../src/model/source/configuration-file.ts";
import { isLeftOut } from "../../../src/model/source/left-out.ts";

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
    ];
    expect(configurationFiles(names, null)).toEqual(["a.tf", "~a.tf", "#a.tf", "a#.tf", "a.tf.json"]);
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

it.each(["{", '{"a":}', '{"a" 1}', "nul", '{"a":1.}', '{"a":1}}', '{"a":1e}', "[1 2]"])(
  "%j is no JSON: all is read",
  (text) => {
    expect(scanConfiguration("main.tf.json", Buffer.from(text))).toMatchObject({ modules: [], readsAll: true });
  },
);

it("names what cannot be read in at most 120 characters", () => {
  const long = scanConfiguration("main.tf", Buffer.from(`module "a" {\n  source = ${"x".repeat(200)}\n}\n`));
  expect(long.unresolved).toEqual([`source = ${"x".repeat(111)}...`]);
});

it("what engines, git and states leave behind is no part of a source", () => {
  const names = [".git", ".terraform", "terraform.tfstate", "terraform.tfstate.backup", "crash.log"];
  for (const name of names) expect(isLeftOut(name)).toBe(true);
  for (const name of ["main.tf", ".gitignore", ".terraform.lock.hcl", "a.tfstate"]) expect(isLeftOut(name)).toBe(false);
});
