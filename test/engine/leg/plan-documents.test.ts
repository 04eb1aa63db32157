/** The document of a real engine's plan, and what hooks add to it. */
import { createHmac } from "node:crypto";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Hook } from "../../../src/model/workspace/hook.ts";
import type { Data } from "../../support/api.ts";
import { refusal } from "../../support/fake-protocol-server.ts";
import { unpackDocument } from "../../support/plan-documents.ts";
import { RunnerHarness, variable } from "../../support/runner-harness.ts";

const harness = await RunnerHarness.start();
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => {
  harness.server.state = null;
  harness.server.document = null;
  harness.server.intervene = () => undefined;
});

function document(): { plan: Data; custom: Data; text: string; truncated: string[] } {
  const { document: sent } = harness.server;
  if (sent === null) throw new Error(`no document was sent\n${harness.server.log}`);
  const found = unpackDocument(sent.body);
  return { ...found, text: JSON.stringify(found), truncated: sent.truncated };
}

const KEY = "key-of-the-run";
const digest = (text: string): string => `hp:${createHmac("sha256", KEY).update(text).digest("hex").slice(0, 16)}`;
const afterPlan = (command: string): Hook => ({ stage: "AFTER_PLAN", command });

test("it is all that the engine says of a plan, sent before the plan is reported", async () => {
  const files = {
    "main.tf": `
      variable "size" { default = 3 }
      resource "terraform_data" "a" {
        input = var.size
        lifecycle {
          postcondition {
            condition     = self.input > 1
            error_message = "too small"
          }
        }
      }
      module "m" { source = "./m" }
      check "c" {
        assert {
          condition     = var.size < 2
          error_message = "too large"
        }
      }
      output "o" { value = terraform_data.a.id }`,
    "m/main.tf": 'resource "terraform_data" "b" { input = "b" }',
  };
  await harness.deploy(files);
  await harness.plan({ ...files, "main.tf": files["main.tf"].replace("default = 3", "default = 4") });
  const { plan, custom, truncated } = document();
  expect(custom).toEqual({});
  expect(truncated).toEqual([]);
  expect(Object.keys(plan)).toEqual(
    expect.arrayContaining([
      "format_version",
      "terraform_version",
      "variables",
      "planned_values",
      "resource_changes",
      "prior_state",
      "configuration",
      "checks",
    ]),
  );
  expect(
    plan.resource_changes.map((change: { address: string; change: { actions: string[] } }) => [
      change.address,
      change.change.actions,
    ]),
  ).toEqual([
    ["terraform_data.a", ["update"]],
    ["module.m.terraform_data.b", ["no-op"]],
  ]);
  expect(plan.configuration.root_module.module_calls.m.module.resources[0].address).toBe("terraform_data.b");
  const failed = plan.checks.find(
    ({ address }: { address: { to_display: string } }) => address.to_display === "check.c",
  );
  expect(failed.instances[0].problems).toEqual([{ message: "too large" }]);
  const paths = harness.server.requests.map(({ method, path }) => `${method} ${path}`);
  expect(paths.lastIndexOf("PUT document")).toBeLessThan(paths.lastIndexOf("POST messages"));
});

test("a secret is nowhere in it, wherever an engine can put it", async () => {
  const secret = "canary-of-the-plan";
  const files = {
    "main.tf": `
      variable "declared" {
        type = string
        sensitive = true
      }
      variable "stored" { type = string }
      variable "short" { type = number }
      variable "fallback" {
        type = string
        sensitive = true
        default = "canary-by-default"
      }
      resource "terraform_data" "plain" { input = var.stored }
      resource "terraform_data" "marked" { input = { key = var.declared, list = ["open", var.declared], n = sensitive(12345) } }
      resource "terraform_data" "within" { input = "prefix \${nonsensitive(var.declared)} suffix" }
      resource "terraform_data" "encoded" { input = base64encode(nonsensitive(var.declared)) }
      resource "terraform_data" "keyed" { input = { (nonsensitive(var.declared)) = 1 } }
      resource "terraform_data" "each" {
        for_each = toset([nonsensitive(var.declared)])
        input = each.key
      }
      resource "terraform_data" "provisioned" {
        provisioner "local-exec" {
          command = "echo ${secret}"
          environment = { KEY = "${secret}" }
        }
      }
      module "m" {
        source = "./m"
        inner = "canary-of-the-call"
      }
      check "c" {
        assert {
          condition     = var.stored == ""
          error_message = "it is \${nonsensitive(var.declared)}"
        }
      }
      output "o" {
        value = var.declared
        sensitive = true
      }
      output "text" { value = "a \${nonsensitive(var.declared)}" }`,
    "m/main.tf": `
      variable "inner" { sensitive = true }
      resource "terraform_data" "i" { input = var.inner }`,
  };
  const variables = [
    variable("declared", secret),
    variable("stored", secret, { sensitive: true }),
    variable("short", "123", { sensitive: true }),
  ];
  const hooks = [
    afterPlan(`echo '{"key": "${secret}", "within": "a ${secret} b"}' > "$HOLDPOINT_POLICY_INPUT/scan.json"`),
  ];
  await harness.deploy(files, { variables });
  const before = harness.server.state?.toString() ?? "";
  expect(before).toContain(secret);
  await harness.plan(
    { ...files, "main.tf": `${files["main.tf"]}\nresource "terraform_data" "more" {}` },
    { variables, hooks },
  );
  const { plan, custom, text } = document();
  for (const canary of [secret, "canary-by-default", "canary-of-the-call", Buffer.from(secret).toString("base64")]) {
    expect(text).not.toContain(canary);
  }
  expect(text).not.toContain("canary");
  expect(plan.variables.short).toEqual({ value: digest("123") });
  expect(plan.variables.declared).toEqual({ value: digest(secret) });
  const values = (name: string) =>
    plan.planned_values.root_module.resources.find((resource: { name: string }) => resource.name === name).values;
  expect(values("marked").input).toEqual({ key: digest(secret), list: ["open", digest(secret)], n: null });
  expect(values("plain").input).toBe(digest(secret));
  expect(values("within").input).toBe("prefix (sensitive value) suffix");
  expect(custom).toEqual({ scan: { key: digest(secret), within: "a (sensitive value) b" } });
  expect(plan.prior_state.values.root_module.resources.length).toBeGreaterThan(5);
});

test("hooks of a plan add objects, and what cannot be taken is in the log and in the document's list", async () => {
  const write = (name: string, content: string): string =>
    `printf '%s' '${content}' > "$HOLDPOINT_POLICY_INPUT/${name}"`;
  const hooks: Hook[] = [
    { stage: "BEFORE_INIT", command: write("early.json", '{"a":1}') },
    afterPlan(
      [
        write("infracost.json", '{"projects":[]}'),
        write("tool.custom.spacelift.json", '{"n":9007199254740993}'),
        write("list.json", "[1]"),
        write("broken.json", '{"a":'),
        write("notes.txt", "x"),
        write("0day.json", "{}"),
        write("early.custom.spacelift.json", "{}"),
        'ln -s /etc/hostname "$HOLDPOINT_POLICY_INPUT/link.json"',
        'mkfifo "$HOLDPOINT_POLICY_INPUT/pipe.json"',
        'head -c 6000000 /dev/zero > "$HOLDPOINT_POLICY_INPUT/zeros.json"',
      ].join("\n"),
    ),
  ];
  await harness.plan({ "main.tf": "" }, { hooks });
  const { custom, truncated } = document();
  // The file that sorts first has the key.
  expect(custom).toEqual({ early: {}, infracost: { projects: [] }, tool: { n: "9007199254740993" } });
  expect(truncated.toSorted()).toEqual(
    ["custom", "custom.broken", "custom.early", "custom.link", "custom.list", "custom.pipe", "custom.zeros"].toSorted(),
  );
  const lines = harness.server.log.split("\n").filter((line) => line.startsWith("Custom input"));
  expect(lines).toHaveLength(8);
  expect(lines).toEqual(
    expect.arrayContaining([
      'Custom input "list.json" is not taken: it must hold an object of JSON.',
      'Custom input "notes.txt" is not taken: its name must end in .json.',
      'Custom input "early.json" is not taken: another file gives early too.',
    ]),
  );
});

test("more files than a run takes are counted, and an apply has no place for them", async () => {
  const command = 'for i in $(seq 10 32); do echo "{}" > "$HOLDPOINT_POLICY_INPUT/k$i.json"; done';
  const plan = await harness.plan({ "main.tf": 'resource "terraform_data" "a" {}' }, { hooks: [afterPlan(command)] });
  expect(Object.keys(document().custom)).toHaveLength(20);
  expect(document().truncated).toEqual(["custom"]);
  expect(harness.server.log).toContain("Custom input: 3 more files are not taken. A run takes 20.");
  await harness.apply(plan, {
    hooks: [{ stage: "BEFORE_APPLY", command: 'echo "in: ${HOLDPOINT_POLICY_INPUT:-none}"' }],
  });
  expect(harness.server.log).toContain("in: none");
});

test("a server that stores no documents gets none, and one that refuses them gets the plan all the same", async () => {
  const files = { "main.tf": 'resource "terraform_data" "a" {}' };
  await harness.plan(files, { documentKey: undefined });
  expect(harness.server.document).toBeNull();
  harness.server.intervene = ({ path }) => (path === "document" ? refusal(413, "TOO_LARGE") : undefined);
  expect(await harness.plan(files)).toMatchObject({ hasChanges: true });
  expect(harness.server.log).toContain("The server did not store the description of the plan: TOO_LARGE");
  let attempts = 0;
  harness.server.intervene = ({ path }) =>
    path === "document" && ++attempts < 3 ? refusal(503, "STORE_UNAVAILABLE") : undefined;
  await harness.plan(files);
  expect(attempts).toBe(3);
  expect(document().plan.resource_changes).toHaveLength(1);
});
