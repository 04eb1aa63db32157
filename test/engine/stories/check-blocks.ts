/** Check blocks with a real engine, from the plan to the verification. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../../support/api.ts";
import { data, type Holdpoint, PATIENCE_MS, type TestWorkspace } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

const check = (name: string, condition: string, message: string): string =>
  `check "${name}" {\n assert {\n condition = ${condition}\n error_message = ${JSON.stringify(message)}\n }\n}\n`;

async function checksOf(workspace: TestWorkspace, runId: string): Promise<Data> {
  const fields = "checks { afterApply count failedCount blocks { address status problems } }";
  const query = `query ($id: ID!) { run(id: $id) { status warnings ${fields}
    verification { status probes { name weight lastFailure } } workspace { ${fields} } } }`;
  return (await workspace.api.ask(query, { id: runId })).run;
}

describe.concurrent("check blocks", { timeout: PATIENCE_MS }, () => {
  it("of a plan are a warning, and after the apply those of the state", async () => {
    const workspace = await holdpoint.workspace("check-blocks", {
      "main.tf":
        data("a", 'input = "one"') +
        'variable "canary" { default = "none" }\n' +
        check("fails", 'var.canary == "x"', "The value is ${var.canary}.") +
        check("later", 'terraform_data.a.output == "two"', "The output is not two.") +
        check("holds", 'var.canary != "never"', "Never."),
    });
    await workspace.setVariable({ key: "canary", value: "canary-7f3a", sensitive: true, category: "ENGINE" });
    const { id } = await workspace.plan();
    const planned = await checksOf(workspace, id);
    expect(planned.checks).toMatchObject({ afterApply: false, count: 3, failedCount: 1 });
    expect(planned.checks.blocks).toMatchObject([
      { address: "check.fails", status: "FAILED", problems: [expect.stringContaining("The value is ")] },
      { address: "check.later", status: "UNKNOWN", problems: [] },
      { address: "check.holds", status: "PASSED", problems: [] },
    ]);
    expect(planned.warnings).toEqual([expect.stringContaining("check.fails fails: The value is ")]);
    await workspace.finish(id);
    const applied = await checksOf(workspace, id);
    expect(applied.checks).toMatchObject({ afterApply: true, count: 3, failedCount: 2 });
    expect(applied.checks.blocks).toMatchObject([
      { address: "check.fails", status: "FAILED" },
      { address: "check.later", status: "FAILED", problems: ["The output is not two."] },
      { address: "check.holds", status: "PASSED" },
    ]);
    expect(applied.workspace.checks).toEqual(applied.checks);
    expect(JSON.stringify([planned, applied])).not.toContain("canary-7f3a");

    // Nothing changes, and the check block passes by a variable alone.
    await workspace.setVariable({ key: "canary", value: "x", sensitive: false, category: "ENGINE" });
    const unchanged = await workspace.runToEnd();
    expect((await checksOf(workspace, unchanged.id)).checks).toMatchObject({ afterApply: false, failedCount: 1 });
  });

  it("decide the verification where a probe asks for them", async () => {
    const workspace = await holdpoint.workspace("check-verified", {
      "main.tf": data("a", 'input = "one"') + check("answers", 'terraform_data.a.output == "two"', "No answer."),
    });
    const probes = [{ name: "checks", kind: "CHECKS", use: "VERIFY", from: "SERVER", target: "" }];
    await workspace.update({ probes, verificationSettings: { initialDelaySeconds: 0 } });
    const { id } = await workspace.plan();
    const { failure } = await workspace.finish(id, 1, "FAILED");
    expect(failure).toMatchObject({
      code: "DEPLOYMENT_VERIFICATION_FAILED",
      stage: "VERIFY",
      category: "HEALTH_CHECK_FAILURE",
      reason: "CONDITION",
      evidence: ["checks: check.answers fails: No answer."],
    });
  });
});
