import { afterAll, beforeEach, expect, test } from "vitest";
import type { PlanContent } from "../../../src/model/plan/plan.ts";
import { RunnerHarness } from "../../support/runner-harness.ts";

const harness = await RunnerHarness.start();
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  harness.server.state = null;
  harness.server.lock = null;
});

const data = (name: string, body = "") => `resource "terraform_data" "${name}" {\n${body}\n}\n`;
const module = (count: number) => `module "m" {\n source = "./m"\n count = ${count}\n}\n`;
const PROVIDER = "terraform.io/builtin/terraform";

function factsOf({ resourceChanges }: PlanContent): Record<string, unknown> {
  return Object.fromEntries(
    resourceChanges.map(({ address, reason, replacePaths, index }) => [address, [reason, replacePaths, index]]),
  );
}

test("why something is replaced or destroyed, and what makes it so", async () => {
  const before = {
    "main.tf": `${data("attribute", "triggers_replace = { size = 1 }")}${data("asked")}
      ${data("cause", "input = 1")}${data("triggered", "lifecycle { replace_triggered_by = [terraform_data.cause] }")}
      ${data("counted", "count = 2")}${data("keyed", 'for_each = toset(["a", "b"])')}${data("gone")}
      ${module(2)}`,
    "m/main.tf": data("inside"),
  };
  await harness.deploy(before);
  const after = {
    ...before,
    "main.tf": `${module(1)}${data("attribute", "triggers_replace = { size = 2 }")}${data("asked")}
      ${data("cause", "input = 2")}${data("triggered", "lifecycle { replace_triggered_by = [terraform_data.cause] }")}
      ${data("counted", "count = 1")}${data("keyed", 'for_each = toset(["a"])')}`,
  };
  const plan = await harness.plan(after, { replace: ["terraform_data.asked"] });
  expect(factsOf(plan)).toEqual({
    "terraform_data.attribute": ["REPLACE_CANNOT_UPDATE", ["triggers_replace"], null],
    "terraform_data.asked": ["REPLACE_BY_REQUEST", [], null],
    "terraform_data.cause": [null, [], null],
    "terraform_data.triggered": ["REPLACE_BY_TRIGGERS", [], null],
    "terraform_data.counted[1]": ["DELETE_COUNT_INDEX", [], "1"],
    'terraform_data.keyed["b"]': ["DELETE_EACH_KEY", [], "b"],
    "terraform_data.gone": ["DELETE_NO_CONFIG", [], null],
    "module.m[1].terraform_data.inside": ["DELETE_NO_MODULE", [], null],
  });
  expect(new Set(plan.resourceChanges.map(({ provider }) => provider))).toEqual(new Set([PROVIDER]));
});

test("what a change depends on, directly and through variables, but not through locals or outputs", async () => {
  const plan = await harness.plan({
    "main.tf": `${data("a")}${data("b")}${data("list", "count = 2")}
      locals {
        hidden = terraform_data.b.id
      }
      ${data("user", "input = [terraform_data.a.id, terraform_data.list[0].id, local.hidden, module.m.id]")}
      ${data("after", "depends_on = [terraform_data.b, module.m]")}
      ${data("each", "for_each = toset(terraform_data.a.output == null ? [] : [])")}
      module "m" {
        source = "./m"
        size = terraform_data.a.id
      }`,
    "m/main.tf": `variable "size" {}
      ${data("first", "count = 2\n input = var.size")}
      ${data("second", 'input = terraform_data.first[0].id\n provisioner "local-exec" {\n command = self.id\n }')}
      output "id" {
        value = terraform_data.second.id
      }`,
  });
  const found = Object.fromEntries(plan.resourceChanges.map(({ address, dependsOn }) => [address, dependsOn]));
  expect(found).toEqual({
    "terraform_data.a": [],
    "terraform_data.b": [],
    "terraform_data.list[0]": [],
    "terraform_data.list[1]": [],
    "terraform_data.user": ["module.m", "terraform_data.a", "terraform_data.list"],
    "terraform_data.after": ["module.m", "terraform_data.b"],
    "module.m.terraform_data.first[0]": ["terraform_data.a"],
    "module.m.terraform_data.first[1]": ["terraform_data.a"],
    "module.m.terraform_data.second": ["module.m.terraform_data.first"],
  });
});

test("the id by which something is imported", async () => {
  const plan = await harness.plan({
    "main.tf": `import {\n to = terraform_data.i\n id = "abc"\n}\n${data("i")}${data("new")}`,
  });
  expect(plan.resourceChanges.map(({ name, importId, provider }) => [name, importId, provider])).toEqual([
    ["i", "abc", PROVIDER],
    ["new", null, PROVIDER],
  ]);
});

test("the values of outputs before and after, without what is sensitive or not known yet", async () => {
  const output = (name: string, value: string, more = "") => `output "${name}" {\n value = ${value}\n${more}\n}\n`;
  const files = (size: number) => ({
    "main.tf": `${data("a", `triggers_replace = ${size}`)}${output("size", `${size}`)}
      ${output("id", "{ id = terraform_data.a.id, size = 1 }")}
      ${output("secret", `"hidden-${size}-canary"`, "sensitive = true")}`,
  });
  const first = await harness.deploy(files(1));
  expect(first.outputValues).toEqual([
    { name: "id", before: null, after: { id: null, size: 1 }, unknown: true },
    { name: "secret", before: null, after: null, unknown: false },
    { name: "size", before: null, after: 1, unknown: false },
  ]);
  const second = await harness.plan(files(2));
  expect(second.outputValues).toEqual([
    { name: "id", before: { id: expect.any(String), size: 1 }, after: { id: null, size: 1 }, unknown: true },
    { name: "secret", before: null, after: null, unknown: false },
    { name: "size", before: 1, after: 2, unknown: false },
  ]);
  expect(JSON.stringify(second)).not.toContain("canary");
});

test("the warnings of a plan, and the error of one that fails, with their places and lines of the log", async () => {
  const no = 'variable "no" { default = false }\n';
  const check = `${no}check "c" {\n assert {\n condition = var.no\n error_message = "is not so"\n }\n}\n`;
  const plan = await harness.plan({ "main.tf": check });
  const [warning] = plan.diagnostics ?? [];
  expect(warning).toMatchObject({
    severity: "WARNING",
    summary: "Check block assertion failed",
    detail: expect.stringContaining("is not so"),
    file: "main.tf",
    line: 4,
    snippet: expect.stringContaining("condition = var.no"),
  });
  const lineOf = (number: number | null | undefined) =>
    harness.server.lines.findLast((line) => line.number === number)?.text;
  expect(lineOf(warning?.logLine)).toBe("Warning: Check block assertion failed");

  const broken = data("a", 'lifecycle {\n precondition {\n condition = var.no\n error_message = "must not"\n }\n}');
  await harness.offerPlan({ "main.tf": no + broken });
  const ended = await harness.server.ended();
  const [error] = ended.type === "failed" ? (ended.failure.diagnostics ?? []) : [];
  expect(error).toMatchObject({
    severity: "ERROR",
    summary: "Resource precondition failed",
    detail: expect.stringContaining("must not"),
    file: "main.tf",
    line: 5,
  });
  expect(lineOf(error?.logLine)).toBe("Error: Resource precondition failed");
});
