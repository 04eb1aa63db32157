/** Runs that nobody is asked about, runs that never apply, and variables that are more than strings. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Data, waitForStatus } from "../../support/api.ts";
import { command } from "../../support/run-steps.ts";
import { counts, data, type Holdpoint, provisioner, type TestWorkspace } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

const phases = (run: Data): string[] => run.phases.map(({ kind, status }: Data) => `${kind} ${status}`);

describe.concurrent("auto-apply", () => {
  it("applies with nobody asked, and stops at the apply gate where it may not", async () => {
    const workspace = await holdpoint.workspace("eager", {
      "main.tf": `${data("a", 'input = "one"')}\noutput "a" { value = terraform_data.a.output }`,
    });
    await workspace.update({ planApproval: "WHEN_REQUIRED", autoApply: "NO_DESTROY" });
    const run = await workspace.runToEnd();
    expect(run).toMatchObject({ outcome: "APPLIED", leg: "APPLY", approvals: [], plans: [counts({ additions: 1 })] });
    expect(phases(run)).toEqual(["PREPARE PASSED", "INIT PASSED", "PLAN PASSED", "APPLY PASSED"]);
    expect(await workspace.read()).toMatchObject({
      deploymentStatus: "RUNNING",
      outputs: [{ name: "a", value: "one" }],
      lock: null,
      stateLock: null,
      currentRun: null,
    });
    const lines = await workspace.log(run.id);
    expect(lines.map(({ number }: Data) => number)).toEqual(lines.map((_, index) => index + 1));
    const applied = lines.filter(({ phase }: Data) => phase === "APPLY").map(({ text }: Data) => text);
    expect(applied[0]).toMatch(/^Runner /);
    expect(applied).toContain("Apply complete! Resources: 1 added, 0 changed, 0 destroyed.");
    // Nothing is left to do: no second apply.
    expect(await workspace.runToEnd()).toMatchObject({ outcome: "NO_CHANGES" });

    await workspace.write({ "main.tf": "" });
    const removing = await workspace.createRun();
    await waitForStatus(holdpoint.api, removing, "AWAITING_APPLY_APPROVAL");
    expect((await workspace.run(removing)).plans).toMatchObject([{ destructions: 1 }]);
  });

  it("fails as an apply where the apply fails", async () => {
    const workspace = await holdpoint.workspace("eager-failing", { "main.tf": data("a", provisioner("exit 7")) });
    await workspace.update({ planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" });
    const run = await workspace.runToEnd({}, "FAILED");
    expect(run).toMatchObject({ leg: "APPLY", failure: { stage: "APPLY", stateUncertain: false } });
    expect(phases(run).at(-1)).toBe("APPLY FAILED");
    expect(await workspace.read()).toMatchObject({ deploymentStatus: "FAILED", lock: null, stateLock: null });
  });
});

describe.concurrent("a run of kind PLAN", () => {
  it("shows what would change beside a run that holds the workspace, and changes nothing", async () => {
    const workspace = await holdpoint.workspace("speculative", { "main.tf": data("a") });
    await workspace.deploy();
    await workspace.write({ "main.tf": `${data("a")}${data("b")}` });
    const holder = await workspace.plan();
    const run = await workspace.runToEnd({ kind: "PLAN" });
    expect(run).toMatchObject({ outcome: "PLANNED", plans: [counts({ additions: 1 })], appliedAt: null });
    expect((await workspace.read()).currentRun).toEqual({ id: holder.id });
    // The plan that waits is as good as before: its state has not moved.
    expect((await workspace.finish(holder.id)).outcome).toBe("APPLIED");
    expect(await workspace.runToEnd({ kind: "PLAN" })).toMatchObject({ outcome: "NO_CHANGES" });
  });

  it("names what a destroy takes away", async () => {
    const names = ["a", "b", "c", "d", "e", "f", "g"];
    const workspace = await holdpoint.workspace("warned", { "main.tf": names.map((name) => data(name)).join("") });
    await workspace.deploy();
    const run = await workspace.plan({ kind: "DESTROY" });
    expect(run.warnings).toHaveLength(1);
    expect(run.warnings[0]).toMatch(
      /^This run destroys 7 resources: terraform_data\.\w(, terraform_data\.\w){4}, and 2 more\.$/,
    );
  });
});

it("takes only what changed outside into the state with refreshOnly", async () => {
  // Without providers from a registry only outputs can drift: by a file that the configuration reads.
  const workspace = await holdpoint.workspace("drift", {
    "main.tf": `output "value" { value = file("value.txt") }`,
    "value.txt": "one",
  });
  await workspace.deploy();
  await writeFile(join(workspace.path, "value.txt"), "two");
  const planned = await workspace.runToEnd({ kind: "PLAN", refreshOnly: true });
  expect(planned).toMatchObject({ outcome: "PLANNED", plans: [{ text: expect.stringContaining("two") }] });
  const run = await workspace.deploy({ refreshOnly: true });
  expect(run).toMatchObject({ outcome: "APPLIED", plans: [counts()] });
  expect((await workspace.read()).outputs).toMatchObject([{ name: "value", value: "two" }]);
});

it("gives the engine a list and a map as they were written", async () => {
  const workspace = await holdpoint.workspace("expressions", {
    "main.tf": `
      variable "zones" { type = list(string) }
      variable "tags" { type = map(number) }
      variable "text" { type = string }
      resource "terraform_data" "zone" {
        for_each = toset(var.zones)
        input    = each.key
      }
      output "zones" { value = var.zones }
      output "sum" { value = sum(values(var.tags)) }
      output "text" { value = var.text }`,
  });
  await workspace.setVariable({ key: "zones", value: '["a", upper("b")]', hcl: true });
  const wrong = await workspace.runToEnd({}, "FAILED");
  expect(wrong.failure).toMatchObject({ code: "PLAN_FAILED" });
  await workspace.setVariable({ key: "zones", value: '["a", "b"]', hcl: true });
  await workspace.setVariable({ key: "tags", value: "{ one = 1, two = 2 }", hcl: true });
  await workspace.setVariable({ key: "text", value: '["not", "a", "list"]' });
  const run = await workspace.deploy();
  expect(run.plans[0]).toMatchObject({ additions: 2 });
  const outputs = Object.fromEntries((await workspace.read()).outputs.map(({ name, value }: Data) => [name, value]));
  expect(outputs).toEqual({ zones: ["a", "b"], sum: 3, text: '["not", "a", "list"]' });
});

/** A run that is made of another one. */
async function followUp(command: "promoteRun" | "rollbackRun", runId: string): Promise<string> {
  const type = command === "promoteRun" ? "PromoteRun" : "RollbackRun";
  const query = `mutation ($input: ${type}Input!) { ${command}(input: $input) {
    ... on ${type}Success { run { id } } ... on UserError { code message } } }`;
  const { [command]: answer } = await holdpoint.api.ask(query, { input: { runId } });
  if (answer.code !== undefined) throw new Error(answer.message);
  return answer.run.id;
}

describe.concurrent("what was made earlier", () => {
  const main = (text: string) => `
    variable "size" { type = string }
    ${data("a", `input = "${text} \${var.size}"`)}
    output "a" { value = terraform_data.a.output }`;
  const outputOf = async (workspace: TestWorkspace) => (await workspace.read()).outputs[0]?.value;

  it("is applied by an APPLY as it was planned, once", async () => {
    const workspace = await holdpoint.workspace("saved-plan", { "main.tf": main("one") });
    await workspace.setVariable({ key: "size", value: "s" });
    const planned = await workspace.runToEnd({ kind: "PLAN" });
    expect(planned).toMatchObject({ outcome: "PLANNED", plans: [{ isCurrent: true }] });
    await workspace.write({ "main.tf": main("two") });
    await workspace.setVariable({ key: "size", value: "t" });
    const applying = await workspace.plan({ kind: "APPLY", planRunId: planned.id });
    expect(applying.plans).toEqual(planned.plans);
    const run = await workspace.finish(applying.id);
    expect(run).toMatchObject({ outcome: "APPLIED", plans: [{ isCurrent: false }] });
    expect(phases(run)).toEqual(["PLAN_APPROVAL PASSED", "APPLY_APPROVAL PASSED", "PREPARE PASSED", "APPLY PASSED"]);
    expect(await outputOf(workspace)).toBe("one s");
    expect(await workspace.read()).toMatchObject({ lock: null, stateLock: null, currentRun: null });
    const again = await workspace.tryToCreateRun({ kind: "APPLY", planRunId: planned.id });
    expect(again).toMatchObject({ __typename: "StalePlanError" });
  });

  it("is deployed by a promotion, and comes back by a rollback with its variables", async () => {
    const workspace = await holdpoint.workspace("back-and-forth", { "main.tf": main("one") });
    await workspace.setVariable({ key: "size", value: "s" });
    const planned = await workspace.runToEnd({ kind: "PLAN" });
    await workspace.write({ "main.tf": main("two") });
    const promoted = await followUp("promoteRun", planned.id);
    await waitForStatus(holdpoint.api, promoted, "AWAITING_PLAN_APPROVAL");
    await workspace.finish(promoted);
    expect(await outputOf(workspace)).toBe("one s");
    await workspace.setVariable({ key: "size", value: "t" });
    await workspace.deploy();
    expect(await outputOf(workspace)).toBe("two t");
    const back = await followUp("rollbackRun", promoted);
    await waitForStatus(holdpoint.api, back, "AWAITING_PLAN_APPROVAL");
    expect(await workspace.finish(back)).toMatchObject({ outcome: "APPLIED" });
    expect(await outputOf(workspace)).toBe("one s");
  });

  it("comes back with the current credentials, warns, and the next run undoes the rollback", async () => {
    const workspace = await holdpoint.workspace("back-with-credentials", {
      "main.tf": `variable "size" {}
        variable "password" { sensitive = true }
        ${data("a", `triggers_replace = timestamp()\n${provisioner('echo "token $TOKEN in $REGION."')}`)}
        output "value" { value = "\${var.size} \${nonsensitive(sha256(var.password))}" }`,
    });
    const set = async (time: string) => {
      await workspace.setVariable({ key: "size", value: `size-${time}` });
      await workspace.setVariable({ key: "password", value: `password-${time}`, sensitive: true });
      await workspace.setVariable({ key: "TOKEN", value: `token-${time}`, sensitive: true, category: "ENVIRONMENT" });
      await workspace.setVariable({ key: "REGION", value: `region-${time}`, category: "ENVIRONMENT" });
    };
    const value = async () => (await workspace.read()).outputs[0]?.value;
    const expected = (size: string, password: string) =>
      `size-${size} ${createHash("sha256").update(`password-${password}`).digest("hex")}`;
    await set("then");
    const first = await workspace.deploy();
    expect(await value()).toBe(expected("then", "then"));
    await set("now");
    await workspace.deploy();
    expect(await value()).toBe(expected("now", "now"));
    const back = await followUp("rollbackRun", first.id);
    await waitForStatus(holdpoint.api, back, "AWAITING_PLAN_APPROVAL");
    expect((await workspace.run(back)).warnings).toEqual([expect.stringContaining("undoes the rollback")]);
    expect((await workspace.finish(back)).outcome).toBe("APPLIED");
    expect(await value()).toBe(expected("then", "now"));
    const lines = (await workspace.log(back)).map(({ text }) => text);
    expect(lines).toContain("terraform_data.a (local-exec): token (sensitive value) in region-now.");
    await workspace.deploy();
    expect(await value()).toBe(expected("now", "now"));
  });

  it("is made anew where a run says so, and not by the replan that takes it back", async () => {
    const workspace = await holdpoint.workspace("anew", {
      "main.tf": `${data("a")}${data("b")}\noutput "id" { value = terraform_data.a.id }`,
    });
    await workspace.deploy();
    const before = await outputOf(workspace);
    const run = await workspace.plan({ replace: ["terraform_data.a"] });
    expect(run.plans).toMatchObject([counts({ replacements: 1 })]);
    await workspace.finish(run.id);
    expect(await outputOf(workspace)).not.toBe(before);
    const other = await workspace.plan({ replace: ["terraform_data.b"] });
    const input = { runId: other.id, planVersion: 1, replace: [] };
    await command(holdpoint.api, "replanRun", input);
    await waitForStatus(holdpoint.api, other.id, "FINISHED");
    expect(await workspace.run(other.id)).toMatchObject({ outcome: "NO_CHANGES" });
  });
});
