import { afterAll, beforeEach, expect, test } from "vitest";
import { NO_FACTS } from "../../support/resource-changes.ts";
import { RunnerHarness, variable } from "../../support/runner-harness.ts";

const harness = await RunnerHarness.start();
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  harness.server.state = null;
  harness.server.lock = null;
});

const data = (name: string, body = "") => `resource "terraform_data" "${name}" {\n${body}\n}\n`;
const NO_COUNTS = { additions: 0, changes: 0, destructions: 0, replacements: 0, imports: 0, moves: 0, forgets: 0 };

test("a plan is made, handed over and applied; then there is nothing to do", async () => {
  const files = { "main.tf": `${data("a", 'input = "x"')}output "o" { value = terraform_data.a.output }` };
  const plan = await harness.deploy(files);
  expect(plan).toMatchObject({ hasChanges: true, complete: true, stateSerial: 0, engine: { name: "terraform" } });
  expect(plan.counts).toEqual({ ...NO_COUNTS, additions: 1 });
  expect(plan.resourceChanges).toEqual([
    {
      address: "terraform_data.a",
      type: "terraform_data",
      name: "a",
      module: null,
      action: "CREATE",
      createBeforeDestroy: null,
      previousAddress: null,
      imported: false,
      before: null,
      after: { id: null, input: "x", output: null, triggers_replace: null },
      sensitivePaths: [],
      unknownPaths: ["id", "output"],
      ...NO_FACTS,
      provider: "terraform.io/builtin/terraform",
    },
  ]);
  expect(plan.text).toContain("# terraform_data.a will be created");
  expect(harness.server.messages.at(-1)).toMatchObject({ type: "applied", appliedAddresses: ["terraform_data.a"] });
  expect(harness.server.lock).toBeNull();
  expect(harness.server.lines.map(({ number }) => number)).toEqual(harness.server.lines.map((_, index) => index + 1));
  expect(new Set(harness.server.lines.map(({ phase }) => phase))).toEqual(new Set(["PREPARE", "APPLY"]));
  expect(harness.server.log).toContain("terraform_data.a: Creation complete");
  expect(harness.server.log).not.toContain("@message");

  const again = await harness.plan(files);
  expect(again).toMatchObject({ hasChanges: false, counts: NO_COUNTS, resourceChanges: [], outputChanges: [] });
  expect(again.instances).toEqual(["terraform_data.a"]);
  expect(again.stateSerial).toBe(JSON.parse(harness.server.state?.toString() ?? "").serial);
});

test("updates, deletions and replacements in both orders", async () => {
  const before = `${data("u", "input = 1")}${data("d")}${data("r", "triggers_replace = 1")}
    ${data("c", "triggers_replace = 1\nlifecycle { create_before_destroy = true }")}`;
  await harness.deploy({ "main.tf": before });
  const after = `${data("u", "input = 12345678901234567890")}${data("r", "triggers_replace = 2")}
    ${data("c", "triggers_replace = 2\nlifecycle { create_before_destroy = true }")}`;
  const plan = await harness.deploy({ "main.tf": after });
  expect(plan.counts).toEqual({ ...NO_COUNTS, changes: 1, destructions: 1, replacements: 2 });
  const seen = plan.resourceChanges.map(({ name, action, createBeforeDestroy }) => [name, action, createBeforeDestroy]);
  expect(seen).toEqual([
    ["d", "DELETE", null],
    ["c", "REPLACE", true],
    ["r", "REPLACE", false],
    ["u", "UPDATE", null],
  ]);
  expect(plan.resourceChanges[3]).toMatchObject({ before: { input: 1 }, after: { input: "12345678901234567890" } });

  const destroy = await harness.deploy({ "main.tf": after }, { run: { id: "run_2", number: 2, kind: "DESTROY" } });
  expect(destroy.counts.destructions).toBe(3);
  expect(harness.server.lines.at(-1)?.phase).toBe("DESTROY");
});

test("moves, forgets, imports and changes of outputs alone are changes", async () => {
  const imported = { "main.tf": `import {\n to = terraform_data.i\n id = "abc"\n}\n${data("i")}` };
  const importing = await harness.deploy(imported);
  expect(importing).toMatchObject({ hasChanges: true, counts: { ...NO_COUNTS, imports: 1 } });
  expect(importing.resourceChanges).toMatchObject([{ address: "terraform_data.i", action: "NO_OP", imported: true }]);

  const moved = { "main.tf": `moved {\n from = terraform_data.i\n to = terraform_data.j\n}\n${data("j")}` };
  const moving = await harness.deploy(moved);
  expect(moving).toMatchObject({ hasChanges: true, counts: { ...NO_COUNTS, moves: 1 } });
  expect(moving.resourceChanges).toMatchObject([{ action: "NO_OP", previousAddress: "terraform_data.i" }]);

  const output = { "main.tf": `${data("j")}output "o" { value = 1 }` };
  const outputs = await harness.deploy(output);
  expect(outputs).toMatchObject({ hasChanges: true, counts: NO_COUNTS, resourceChanges: [] });
  expect(outputs.outputChanges).toEqual([{ name: "o", action: "CREATE", sensitive: false }]);

  const removed = 'removed {\n from = terraform_data.j\n lifecycle { destroy = false }\n}\noutput "o" { value = 1 }';
  const forgetting = await harness.plan({ "main.tf": removed });
  expect(forgetting).toMatchObject({ hasChanges: true, counts: { ...NO_COUNTS, forgets: 1 } });
  expect(forgetting.resourceChanges).toMatchObject([{ address: "terraform_data.j", action: "FORGET" }]);
});

test("targets make an incomplete plan; a speculative one takes no lock", async () => {
  const files = { "main.tf": data("a") + data("b") };
  const targeted = await harness.plan(files, { targets: ["terraform_data.a"] });
  expect(targeted).toMatchObject({ complete: false, counts: { additions: 1 }, instances: ["terraform_data.a"] });
  harness.server.requests.length = 0;
  await harness.plan(files, { run: { id: "run_3", number: 3, kind: "PLAN" } });
  expect(harness.server.requests.filter(({ path }) => path === "state/lock")).toEqual([]);
});

test("an address that matches nothing is a failure that names it; a masked key leaves out what the plan knows", async () => {
  const files = { "main.tf": data("a") + data("b", 'for_each = toset(["secret-key"])') };
  await harness.offerPlan(files, { targets: ["terraform_data.a", "module.nope", 'terraform_data.b["other"]'] });
  expect(await harness.server.ended()).toMatchObject({
    type: "failed",
    failure: {
      code: "TARGET_NOT_FOUND",
      summary: 'Nothing matches the targets module.nope, terraform_data.b["other"].',
      likelyCause: expect.stringContaining("with the keys of the modules"),
    },
  });
  await harness.offerPlan(files, { replace: ["terraform_data.a", "terraform_data.b", "terraform_data.none"] });
  expect(await harness.server.ended()).toMatchObject({
    type: "failed",
    failure: {
      code: "TARGET_NOT_FOUND",
      stage: "PLAN",
      summary: "Nothing matches the addresses to replace terraform_data.b, terraform_data.none.",
      likelyCause: expect.stringContaining("of one instance, with its key"),
    },
  });
  const plan = await harness.plan(files, { secrets: ["secret-key"], targets: ['terraform_data.b["secret-key"]'] });
  expect(plan.resourceChanges.map(({ address }) => address)).toEqual(['terraform_data.b["(sensitive value)"]']);
  expect(plan.instances).toBeUndefined();
});

test("whatever backend, local state and overrides the source has, the state is Holdpoint's", async () => {
  const files = {
    "main.tf": `terraform {\n cloud {\n organization = "o"\n workspaces { name = "w" }\n }\n}\n${data("a")}`,
    "zzz_override.tf.json": JSON.stringify({ terraform: { backend: { local: {} } } }),
    "a_override.tf": data("a", 'input = "overridden"'),
    "terraform.tfstate": JSON.stringify({ version: 4, serial: 9, lineage: "other", resources: [], outputs: {} }),
    "errored.tfstate": "{}",
    ".terraform/terraform.tfstate": "{}",
  };
  const plan = await harness.deploy(files);
  expect(plan.resourceChanges[0]?.after).toMatchObject({ input: "overridden" });
  expect(harness.server.stateVersions.length).toBeGreaterThan(0);
  expect(JSON.parse(harness.server.state?.toString() ?? "").resources).toHaveLength(1);
});

test("variables: strings are never parsed, expressions are, unknown ones only warn, the workspace wins", async () => {
  const files = {
    "main.tf": `variable "s" { type = string }\nvariable "l" { type = list(string) }\n${data("a", "input = [var.s, var.l]")}
      output "env" { value = terraform_data.a.input }`,
    "zzzz.auto.tfvars": 's = "from the source"\n',
  };
  const variables = [
    variable("s", '${not.parsed} "quoted"\nline'),
    variable("l", '["x", "y"]', { hcl: true }),
    variable("nowhere", "x"),
    variable("TF_DATA_DIR", "/nowhere", { category: "ENVIRONMENT" }),
    variable("TF_HTTP_PASSWORD", "wrong", { category: "ENVIRONMENT" }),
    variable("HOME", "/nowhere", { category: "ENVIRONMENT" }),
  ];
  const plan = await harness.plan(files, { variables });
  expect(plan.resourceChanges[0]?.after).toMatchObject({ input: ['${not.parsed} "quoted"\nline', ["x", "y"]] });
  expect(harness.server.log).toContain("Warning: Value for undeclared variable");
});

test("a variable without a value names setVariable, in the failure and in the log", async () => {
  await harness.offerPlan({ "main.tf": 'variable "region" { type = string }' });
  const message = await harness.server.ended();
  expect(message).toMatchObject({
    type: "failed",
    failure: {
      code: "PLAN_FAILED",
      summary: "No value for required variable",
      message: expect.stringContaining(
        '"region" is not set, and has no default value. Set it in the workspace with `setVariable`.',
      ),
    },
  });
  const { log } = harness.server;
  expect(log).toContain("Set it in the workspace with `setVariable`.");
  expect(JSON.stringify([message, log])).not.toContain("-var");
});

test("a sensitive value appears in no request but in the archive and the state", async () => {
  const secret = 'canary-<value>"with\nsecond-line-canary';
  const generated = "from-the-configuration-canary";
  const files = {
    "main.tf": `
      variable "s" {
        type = string
        sensitive = true
      }
      ${data("a", `input = { s = var.s, g = sensitive("${generated}") }\nprovisioner "local-exec" {\n command = "env; echo ${generated}"\n}`)}
      output "o" {
        value = var.s
        sensitive = true
      }`,
  };
  const variables = [
    variable("s", secret, { sensitive: true }),
    variable("TOKEN", "canary-in-the-environment", { category: "ENVIRONMENT", sensitive: true }),
  ];
  harness.server.requests.length = 0;
  const plan = await harness.deploy(files, { variables });
  expect(plan.resourceChanges[0]).toMatchObject({
    sensitivePaths: ["input.g", "input.s"],
    after: { input: { s: null, g: null } },
  });
  expect(harness.server.log).toContain("TOKEN=(sensitive value)");
  const sent = harness.server.requests.filter(({ path }) => path !== "archive" && !path.startsWith("state"));
  const text = Buffer.concat(sent.map(({ body }) => body)).toString();
  for (const part of ["canary-<value>", "second-line-canary", generated, "canary-in-the-environment"]) {
    expect(text).not.toContain(part);
  }
});

test("nothing of a phase is told before the server knows that it has begun, however long that takes", async () => {
  const told: string[] = [];
  let refusals = 0;
  harness.server.intervene = ({ path, body }) => {
    const { type } = path === "messages" ? JSON.parse(body.toString()) : {};
    const [route = "", query] = path.split("?");
    const isBeginning = path === "messages" && (type === "prepared" || type === "initialized");
    // Long enough for an engine to have written all that it has to say.
    if (isBeginning && (refusals += 1) % 3 !== 0) return { status: 503 };
    if (path !== "heartbeat") told.push(type ?? `${route} ${new URLSearchParams(query).get("phase") ?? ""}`.trim());
    return undefined;
  };
  try {
    await harness.plan({ "main.tf": data("a") }, { stateSerial: 1 });
  } finally {
    harness.server.intervene = () => undefined;
  }
  const [prepared, initialized] = [told.indexOf("prepared"), told.indexOf("initialized")];
  expect(["claim", "source", "log PREPARE"]).toEqual(expect.arrayContaining(told.slice(0, prepared)));
  expect(["state", "log PREPARE", "log INIT"]).toEqual(expect.arrayContaining(told.slice(prepared + 1, initialized)));
  expect(told.slice(initialized)).toEqual(expect.arrayContaining(["state/lock", "log PLAN", "planned"]));
});
