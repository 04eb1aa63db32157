import { describe, expect, it } from "vitest";
import { appliedRuns, isTestFile } from "../../../src/model/source/test-files.ts";

const hcl = (text: string) => appliedRuns("a.tftest.hcl", text);
const json = (value: unknown) =>
  appliedRuns("a.tftest.json", typeof value === "string" ? value : JSON.stringify(value));

it.each([
  ["a.tftest.hcl", true],
  ["a.tftest.json", true],
  ["a.tofutest.hcl", true],
  ["a.tofutest.json", true],
  [".a.tftest.hcl", false],
  ["a.tftest.hcl~", false],
  ["#a.tftest.hcl#", false],
  ["#a.tftest.hcl", true],
  ["a#.tftest.hcl", true],
  ["a.tftest.hcl#", false],
  ["a.tftest.hcl.bak", false],
  ["atftest.hcl", false],
  ["a.tftestxhcl", false],
  ["tftest.hcl", false],
  ["main.tf", false],
  ["a.tftest.yaml", false],
])("%s is a test file: %s", (name, is) => {
  expect(isTestFile(name)).toBe(is);
});

describe("a run applies", () => {
  it.each([
    ["without a command", 'run "a" {\n}\n'],
    ["in one line", 'run "a" {}'],
    ["with the command apply", 'run "a" {\n command = apply\n}\n'],
    ["with a command that is no keyword", 'run "a" {\n command = "plan"\n}\n'],
    ["with an expression", 'run "a" {\n command = true ? plan : apply\n}\n'],
    ["with the command of a nested block", 'run "a" {\n variables {\n  command = plan\n }\n}\n'],
    ["with a command in a comment", 'run "a" {\n # command = plan\n /* command = plan */\n}\n'],
    ["with a command in a text", 'run "a" {\n x = <<E\ncommand = plan\nE\n}\n'],
    ["by a name without quotes", "run a {\n}\n"],
    ["by a name with a template", 'run "a${1}" {\n}\n'],
    ["with a command of another name", 'run "a" {\n commands = plan\n}\n'],
    ["with a sign behind its command", 'run "a" {\n command = plan + 1\n}\n'],
    ["where the last command counts", 'run "a" {\n command = plan\n command = apply\n}\n'],
  ])("%s", (_what, text) => {
    expect(hcl(text)).toEqual({ runs: ["a"], problem: null });
  });

  it.each([
    ["of a plan", 'run "a" {\n command = plan\n}\n'],
    [
      "with assertions before it",
      'run "a" {\n assert {\n  condition = var.a == "}"\n  error_message = "${var.a}"\n }\n command = plan\n}\n',
    ],
    [
      "of other blocks",
      'variables {\n a = { b = 1 }\n}\nmock_provider "aws" {\n mock_resource "a" {\n  defaults = {}\n }\n}\nprovider "x" {}\n',
    ],
    ["of an empty file", "\ufeff\n"],
    ["where the last command is a plan", 'run "a" {\n command = apply\n command = plan\n}\n'],
    ["of a nested block of the name", 'x {\n run "a" {\n }\n}\n'],
    ["of another block with a label", 'file "run" {\n}\n'],
    ["of an attribute of the name", "run = 1\ncommand = apply\n"],
  ])("not: that %s", (_what, text) => {
    expect(hcl(text)).toEqual({ runs: [], problem: null });
  });

  it("each by its own command", () => {
    const text = 'run "a" {\n command = plan\n}\nrun "b" {\n}\nrun "c" {\n command = apply\n}\n';
    expect(hcl(text).runs).toEqual(["b", "c"]);
  });
});

describe("a test file in JSON", () => {
  it.each<[unknown, string[]]>([
    [{ run: { a: { command: "plan" }, b: {} } }, ["b"]],
    [{ run: [{ a: { command: "apply" } }, { b: { command: "plan" } }] }, ["a"]],
    [{ run: { a: [{ command: "plan" }, {}] } }, ["a"]],
    ['{"run": {"a": {}}, "run": {"a": {"command": "plan"}}}', ["a"]],
    ['{"run": {"a": {"command": "plan", "command": "apply"}}}', ["a"]],
    ['{"run": {"a": {"command": "plan", "command": "plan"}}}', ["a"]],
    [{ run: { a: { command: ["plan"] }, b: { commands: "plan" }, c: "plan" } }, ["a", "b", "c"]],
    ['\ufeff{"run": {"a": {}}}', ["a"]],
    [[{ run: { a: [[{}]] } }, { runs: { b: {} } }], ["a"]],
    [{ variables: { run: { a: {} } } }, []],
  ])("%j applies %j", (value, runs) => {
    expect(json(value)).toEqual({ runs, problem: null });
  });
});

it.each([
  ['run "a" {', "a block does not end"],
  ['run "a" = {', "it is not in the engine's syntax"],
  ['"a" {}', "it is not in the engine's syntax"],
  ["run {{", "it is not in the engine's syntax"],
  ["}", "it is not in the engine's syntax"],
  ["run", "it is not in the engine's syntax"],
  ['run "a" { x = "${" }', "a text does not end"],
  ['run "a" {\n command =\n}\n', "an expression does not end"],
])("%j cannot be read", (text, problem) => {
  expect(hcl(text)).toEqual({ runs: [], problem });
});

it.each(["", "{", "[}", "{} x"])("%j is no JSON", (text) => {
  expect(json(text)).toEqual({ runs: [], problem: "it is no JSON" });
});
