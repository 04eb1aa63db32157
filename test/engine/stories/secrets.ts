/** What the engine gets, and what it does not. */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { data, type Holdpoint, MASTER_KEY, provisioner, PATIENCE_MS } from "../../e2e/holdpoint.ts";
import { ADMIN_TOKEN, SOMETHING_ELSE, sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

describe.concurrent("the engine", { timeout: PATIENCE_MS }, () => {
  it("gets sensitive variables of both categories; everybody else sees a mask", async () => {
    const inVariable = 'engine "canary" <&> \\ é';
    const inList = "list-${canary}-4711";
    const inEnvironment = "environment-canary-0815";
    const wrapped = 'printf "a%s" "$DEPLOY_KEY" | base64 | fold -w 10; echo';
    const declaring = 'v="declared 47""11"; echo "::add-mask::$v %25"; echo "now $v %" >&2';
    const workspace = await holdpoint.workspace("sensitive", {
      "main.tf": `variable "secret" {}
        variable "list" { type = list(string) }
        output "secret_sha" { value = nonsensitive(sha256(var.secret)) }
        output "list_sha" { value = sha256(var.list[0]) }
        output "careless" { value = var.secret }
        ${data("shown", `input = [var.secret, var.list]\n${provisioner('echo "key=$DEPLOY_KEY"; printf %s "$DEPLOY_KEY" | sha256sum')}\n${provisioner(`${wrapped}; ${declaring}`)}`)}`,
    });
    // The configuration does not say that they are sensitive: Holdpoint does.
    await workspace.setVariable({ key: "secret", value: inVariable, sensitive: true });
    await workspace.setVariable({
      key: "list",
      value: JSON.stringify([inList]).replace("${", () => "$${"),
      sensitive: true,
      hcl: true,
    });
    await workspace.setVariable({ key: "DEPLOY_KEY", value: inEnvironment, sensitive: true, category: "ENVIRONMENT" });
    await workspace.setVariable({ key: "PLAIN", value: "visible", category: "ENVIRONMENT" });
    const { workspace: read } = await holdpoint.api.ask(
      "query ($id: ID!) { workspace(by: { id: $id }) { variables { key value sensitive category hcl } } }",
      { id: workspace.id },
    );
    expect(read.variables).toEqual([
      { key: "list", value: null, sensitive: true, category: "ENGINE", hcl: true },
      { key: "secret", value: null, sensitive: true, category: "ENGINE", hcl: false },
      { key: "DEPLOY_KEY", value: null, sensitive: true, category: "ENVIRONMENT", hcl: false },
      { key: "PLAIN", value: "visible", sensitive: false, category: "ENVIRONMENT", hcl: false },
    ]);

    const run = await workspace.deploy();
    const MASK = "(sensitive value)";
    expect(run.plans[0]?.resourceChanges.edges[0]?.node.after).toMatchObject({ input: [MASK, [MASK]] });
    expect((await workspace.read()).outputs).toEqual([
      { name: "careless", value: null, sensitive: true },
      { name: "list_sha", value: sha256(inList), sensitive: false },
      { name: "secret_sha", value: sha256(inVariable), sensitive: false },
    ]);
    const texts = (await workspace.log(run.id)).map(({ text }) => text);
    expect(texts).toContain(`terraform_data.shown (local-exec): key=${MASK}`);
    expect(texts).toContain(`terraform_data.shown (local-exec): ${sha256(inEnvironment)}  -`);
    expect(texts).toContain(`terraform_data.shown (local-exec): now ${MASK}`);
    const broken = texts.map((text) => text.replace("terraform_data.shown (local-exec): ", "")).join("");
    expect(broken).not.toContain(Buffer.from(`a${inEnvironment}`).toString("base64").slice(2, 12));
    const everything = JSON.stringify([run, texts]);
    for (const part of ["canary", "engine \\", "4711", "0815"]) expect(everything).not.toContain(part);
  });

  it("keeps masking a value that was replaced or deleted while the state still holds it", async () => {
    const workspace = await holdpoint.workspace("rotated", {
      "main.tf": `variable "first" { default = "-" }
        variable "second" { default = "-" }
        ${data("kept", "input = [var.first, var.second]")}
        output "careless" { value = terraform_data.kept.output }`,
    });
    await workspace.setVariable({ key: "first", value: "former-first-31337", sensitive: true });
    await workspace.setVariable({ key: "second", value: "former-second-31337", sensitive: true });
    await workspace.deploy();
    await workspace.setVariable({ key: "first", value: "newer-first-4242", sensitive: true });
    await holdpoint.api.ask(
      `mutation ($id: ID!) { deleteVariable(input: { workspaceId: $id, key: "second" }) { __typename } }`,
      { id: workspace.id },
    );
    const run = await workspace.plan();
    const change = run.plans[0]?.resourceChanges.edges[0]?.node;
    expect(change).toMatchObject({ action: "UPDATE", before: { input: ["(sensitive value)", "(sensitive value)"] } });
    const everything = JSON.stringify([run, await workspace.log(run.id), await workspace.read()]);
    expect(everything).not.toMatch(/31337|4242/);
  });

  it("sees an environment without the server's secrets", async () => {
    const workspace = await holdpoint.workspace("environment", {
      "main.tf": data("env", provisioner("env; tr '\\0' '\\n' < /proc/$PPID/environ; echo that was all")),
    });
    await workspace.setVariable({ key: "FROM_WORKSPACE", value: "reaches it", category: "ENVIRONMENT" });
    const run = await workspace.deploy();
    const lines = (await workspace.log(run.id))
      .map(({ text }) => text)
      .filter((text) => text.startsWith("terraform_data.env (local-exec): "))
      .map((text) => text.slice("terraform_data.env (local-exec): ".length));
    expect(lines).toContain("FROM_WORKSPACE=reaches it");
    expect(lines).toContain("that was all");
    const names = new Set(lines.flatMap((line) => /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(line)?.[1] ?? []));
    expect(names).toContain("PATH");
    expect([...names].filter((name) => /^(HOLDPOINT_|DATABASE|PG|NODE_|SOMETHING)/.test(name))).toEqual([]);
    const text = lines.join("\n");
    const { url } = holdpoint.database;
    for (const secret of [ADMIN_TOKEN, MASTER_KEY, url, new URL(url).password, SOMETHING_ELSE]) {
      expect(text).not.toContain(secret);
    }
    expect(lines).toContain("TF_HTTP_PASSWORD=(sensitive value)");
    expect(names).toContain("HOME");
    expect(lines.find((line) => line.startsWith("HOME="))).toContain(holdpoint.server.dataDir);
  });
});
