/** `terraform test` in runs, with a real engine. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../../support/api.ts";
import { data, type Files, type Holdpoint, PATIENCE_MS, type TestWorkspace } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

const MAIN = `variable "name" { default = "one" }\n${data("a", "input = var.name")}`;
const asserts = (condition: string): string =>
  `assert {\n condition = ${condition}\n error_message = "The name is \${var.name}."\n}`;
const run = (name: string, body: string): string => `run "${name}" {\n${body}\n}\n`;

async function workspaceOf(name: string, files: Files, tests: string): Promise<TestWorkspace> {
  const workspace = await holdpoint.workspace(name, { "main.tf": MAIN, ...files });
  await workspace.update({ tests });
  return workspace;
}

async function testsOf(workspace: TestWorkspace, id: string): Promise<Data> {
  const query = `query ($id: ID!) { run(id: $id) { status phases { kind status } failure { code stage category summary message }
    tests { status passedCount failedCount erroredCount skippedCount leftResources results { file run status problems } } } }`;
  return (await workspace.api.ask(query, { id })).run;
}

describe.concurrent("tests of a configuration", { timeout: PATIENCE_MS }, () => {
  it("that pass have a phase with its log, and the plan follows", async () => {
    const file = run("plans", `command = plan\n${asserts('var.name == "one"')}`);
    const workspace = await workspaceOf("tests-pass", { "tests/a.tftest.hcl": file }, "PLAN_ONLY");
    const { id } = await workspace.plan();
    const { tests, phases } = await testsOf(workspace, id);
    expect(tests).toMatchObject({ status: "PASSED", passedCount: 1, failedCount: 0, leftResources: [] });
    expect(tests.results).toEqual([{ file: "tests/a.tftest.hcl", run: "plans", status: "PASSED", problems: [] }]);
    expect(phases.map(({ kind, status }: Data) => `${kind} ${status}`)).toEqual([
      "PREPARE PASSED",
      "INIT PASSED",
      "TEST PASSED",
      "PLAN PASSED",
      "PLAN_APPROVAL RUNNING",
    ]);
    const lines = (await workspace.log(id)).filter(({ phase }) => phase === "TEST");
    expect(lines.map(({ text }) => text)).toContainEqual(expect.stringContaining("Success! 1 passed, 0 failed."));
  });

  it("that fail end the run with each result and without a secret", async () => {
    const file = run("wrong", `command = plan\n${asserts('var.name == "two"')}`) + run("next", "command = plan");
    const workspace = await workspaceOf("tests-fail", { "a.tftest.hcl": file }, "ALL");
    await workspace.setVariable({ key: "name", value: "canary-51c0", sensitive: true, category: "ENGINE" });
    const { id } = await workspace.runToEnd({}, "FAILED");
    const failed = await testsOf(workspace, id);
    expect(failed.failure).toMatchObject({ code: "TESTS_FAILED", stage: "TEST", category: "CONFIGURATION_FAILURE" });
    expect(failed.failure.summary).toBe('1 of 2 tests did not pass: a.tftest.hcl, run "wrong".');
    expect(failed.tests).toMatchObject({ status: "FAILED", failedCount: 1, passedCount: 1 });
    expect(failed.tests.results[0]).toMatchObject({
      run: "wrong",
      problems: [expect.stringContaining("The name is ")],
    });
    expect(failed.phases.at(-1)).toEqual({ kind: "TEST", status: "FAILED" });
    expect(JSON.stringify([failed, await workspace.log(id)])).not.toContain("canary-51c0");
  });

  it("that apply are refused where only plans may be made, and run with ALL", async () => {
    const files = {
      "tests/b.tftest.hcl":
        run("plans", "command = plan") + run("creates", asserts('terraform_data.a.output == "one"')),
    };
    const workspace = await workspaceOf("tests-apply", files, "PLAN_ONLY");
    const refused = await workspace.runToEnd({}, "FAILED");
    expect((await testsOf(workspace, refused.id)).failure).toMatchObject({ code: "TESTS_FAILED" });
    expect(refused.failure?.summary).toContain('tests/b.tftest.hcl, run "creates"');
    expect((await testsOf(workspace, refused.id)).tests).toBeNull();
    await workspace.update({ tests: "ALL" });
    const { id } = await workspace.plan();
    expect((await testsOf(workspace, id)).tests).toMatchObject({ status: "PASSED", passedCount: 2 });
    // A destroy is planned without tests.
    const destroy = await workspace.runToEnd({ kind: "DESTROY" }, "QUEUED");
    expect((await testsOf(workspace, destroy.id)).tests).toBeNull();
  });

  it("may be missing", async () => {
    const workspace = await workspaceOf("tests-none", {}, "ALL");
    const { id } = await workspace.plan();
    const { tests, phases } = await testsOf(workspace, id);
    expect(tests).toMatchObject({ status: "SKIPPED", passedCount: 0, results: [] });
    expect(phases.map(({ kind }: Data) => kind)).not.toContain("TEST");
  });
});
