/** The README's example, as it is planned once there is something to compare with. */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { waitForStatus } from "../../support/api.ts";
import { command } from "../../support/run-steps.ts";
import { changesOf, data, type Files, type Holdpoint, PATIENCE_MS } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

const HELLO = fileURLToPath(new URL("../../../examples/hello", import.meta.url));
const MASK = "(sensitive value)";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

async function exampleFiles(): Promise<Files> {
  const names = (await readdir(HELLO)).filter((name) => name.endsWith(".tf"));
  const texts = await Promise.all(names.map((name) => readFile(join(HELLO, name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

const linesWith = (part: string, text: string | null | undefined): string[] =>
  (text ?? "").split("\n").filter((line) => line.includes(part));

/** Sensitive parts in each form in which an engine stores a value, beside others that are not. */
const SHAPES = `
  variable "secret" { sensitive = true }
  variable "size" { default = 1 }
  locals { same = sensitive("service-one") }
  ${data(
    "object",
    `for_each = { "service-one" = 1, "service-two" = 2 }
    input = { name = each.key, same = local.same, size = var.size }`,
  )}
  ${data(
    "string",
    `input = {
      size   = var.size
      nested = [{ user = "public-user", keys = tolist(["public-key", var.secret]) }]
      map    = tomap({ open = "public-map", closed = var.secret })
      set    = toset(["whole-set", var.secret])
      value  = var.secret
      type   = "public-type"
      whole  = sensitive({ inner = "inner-secret", number = 12345678901234567890 })
    }`,
  )}
  ${data("copy", `input = [terraform_data.object["service-two"].output, terraform_data.string.output]`)}`;

describe.concurrent("a second plan", { timeout: PATIENCE_MS }, () => {
  it("of the README's example masks the database's address, and nothing else", async () => {
    const workspace = await holdpoint.workspace("hello", await exampleFiles());
    await workspace.setVariable({ key: "database_password", value: "hunter2-hunter2", sensitive: true });
    await workspace.deploy();
    await workspace.setVariable({ key: "environment", value: "test" });
    const { id, plans } = await workspace.plan();
    const [plan] = plans;
    expect(changesOf(plan)).toEqual([
      ["terraform_data.database", "UPDATE"],
      ["terraform_data.dns", "UPDATE"],
      ["terraform_data.network", "UPDATE"],
      ["terraform_data.service", "UPDATE"],
      ['terraform_data.subnet["a"]', "UPDATE"],
      ['terraform_data.subnet["b"]', "UPDATE"],
    ]);
    expect(linesWith(MASK, plan?.text).map((line) => line.trim())).toEqual([
      `~ url     = ${MASK}`,
      `- url     = "${MASK}"`,
      `~ database_url    = ${MASK}`,
    ]);
    expect((await workspace.log(id)).filter(({ text }) => text.includes(MASK))).toEqual([]);
    const [database, ...others] = plan?.resourceChanges.edges.map(({ node }) => node) ?? [];
    const subnets = ["hello-dev-a", "hello-dev-b"];
    expect(database?.before).toMatchObject({
      input: { name: "hello-dev-db", subnets, url: null },
      output: { name: "hello-dev-db", subnets, url: MASK },
    });
    expect(JSON.stringify(others)).not.toContain(MASK);

    const targets = ['terraform_data.subnet["a"]'];
    await command(holdpoint.api, "replanRun", { runId: id, planVersion: 1, targets });
    await waitForStatus(holdpoint.api, id, "AWAITING_PLAN_APPROVAL");
    expect(changesOf((await workspace.run(id)).plans[1])).toEqual([
      ["terraform_data.network", "UPDATE"],
      ['terraform_data.subnet["a"]', "UPDATE"],
    ]);
  });

  it("masks the sensitive part of any value alone, and no address that has its text", async () => {
    const workspace = await holdpoint.workspace("shapes", { "main.tf": SHAPES });
    const secret = "hunter2-hunter2";
    await workspace.setVariable({ key: "secret", value: secret, sensitive: true });
    const { id: first } = await workspace.deploy();
    await workspace.setVariable({ key: "size", value: "2" });
    const { id, plans } = await workspace.plan();
    const [plan] = plans;
    const addresses = ["copy", 'object["service-one"]', 'object["service-two"]', "string"];
    expect(changesOf(plan)).toEqual(addresses.map((address) => [`terraform_data.${address}`, "UPDATE"]));
    const [copy, , object, string] = plan?.resourceChanges.edges.map(({ node }) => node.before) ?? [];
    expect(object).toMatchObject({ input: { name: "service-two", same: null, size: 1 } });
    const shown = {
      size: 1,
      nested: [{ user: "public-user", keys: ["public-key", null] }],
      map: { open: "public-map", closed: null },
      set: null,
      value: null,
      type: "public-type",
      whole: null,
    };
    expect(string).toMatchObject({ input: shown });
    // The engine has no marks for what is made of them when it is applied.
    const masked = {
      ...shown,
      nested: [{ user: "public-user", keys: ["public-key", MASK] }],
      map: { open: "public-map", closed: MASK },
      set: [MASK, MASK],
      value: MASK,
      whole: { inner: MASK, number: MASK },
    };
    expect(copy).toMatchObject({ input: [{ name: "service-two", same: MASK, size: 1 }, masked] });
    const logs = await Promise.all([first, id].map((run) => workspace.log(run)));
    const everything = JSON.stringify([plans, logs]);
    for (const hidden of [secret, "whole-set", "inner-secret", "12345678901234567890"]) {
      expect(everything).not.toContain(hidden);
    }
    const lines = logs.flat().map(({ text }) => text);
    const created = lines.filter((line) => line.includes(": Creation complete")).map((line) => line.split(":")[0]);
    expect(new Set(created)).toEqual(new Set(addresses.map((address) => `terraform_data.${address}`)));
    expect(lines.filter((line) => line.includes(MASK))).toEqual([]);
    expect(plan?.text).toContain('# terraform_data.object["service-one"] will be updated in-place');
    expect(plan?.text).toContain('resource "terraform_data" "string" {');
  });
});
