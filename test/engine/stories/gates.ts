/** What people decide while a run waits for them. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../../support/api.ts";
import { command, tryCommand } from "../../support/run-steps.ts";
import { changesOf, counts, data, type Holdpoint, type TestWorkspace, PATIENCE_MS } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";
import { waitForStatus } from "../../support/api.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

const FREE = { lock: null, stateLock: null, currentRun: null };

describe.concurrent("gates", { timeout: PATIENCE_MS }, () => {
  it("plans again for the picked resources, and applies that plan alone", async () => {
    const { api } = holdpoint;
    const workspace = await holdpoint.workspace("replan", {
      "main.tf": `${data("base")}${data("picked", "input = terraform_data.base.id")}${data("other")}`,
    });
    const { id: runId } = await workspace.plan();
    await command(api, "approveRun", { runId, gate: "PLAN", planVersion: 1 });
    expect(await tryCommand(api, "replanRun", { runId, planVersion: 2, targets: [] })).toMatchObject({
      code: "STALE_PLAN",
      run: { status: "AWAITING_APPLY_APPROVAL" },
    });
    const requested = await command(api, "replanRun", { runId, planVersion: 1, targets: ["terraform_data.picked"] });
    expect(requested.status).toBe("REPLAN_REQUESTED");

    await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL");
    const run = await workspace.run(runId);
    expect(run).toMatchObject({
      leg: "REPLAN",
      targets: ["terraform_data.picked"],
      plan: { version: 2, isCurrent: true },
    });
    expect(
      run.plans.map(({ version, isCurrent, complete, targets }: Data) => [version, isCurrent, complete, targets]),
    ).toEqual([
      [1, false, true, []],
      [2, true, false, ["terraform_data.picked"]],
    ]);
    expect(run.plans[0]?.digest).not.toBe(run.plans[1]?.digest);
    expect(run.plans[0]).toMatchObject(counts({ additions: 3 }));
    expect(changesOf(run.plans[1])).toEqual([
      ["terraform_data.base", "CREATE"],
      ["terraform_data.picked", "CREATE"],
    ]);
    expect(run.approvals).toMatchObject([{ gate: "PLAN", counts: false, planVersion: 1 }]);
    expect(run.phases.filter(({ kind }: Data) => kind === "PLAN")).toEqual([
      { kind: "PLAN", attempt: 1, status: "PASSED" },
      { kind: "PLAN", attempt: 2, status: "PASSED" },
    ]);

    expect(await tryCommand(api, "approveRun", { runId, gate: "PLAN", planVersion: 1 })).toMatchObject({
      code: "STALE_PLAN",
      run: { status: "AWAITING_PLAN_APPROVAL" },
    });
    // What was approved is applied, whatever the folder holds by then.
    await workspace.write({
      "main.tf": `${data("base")}${data("picked", "input = terraform_data.base.id")}${data("other")}${data("later")}`,
    });
    const finished = await workspace.finish(runId, 2);
    expect(finished.outcome).toBe("APPLIED");
    expect(finished.approvals.map(({ counts: does, planVersion }: Data) => [does, planVersion])).toEqual([
      [false, 1],
      [true, 2],
      [true, 2],
    ]);
    const texts = (await workspace.log(runId)).map(({ text }) => text);
    expect(texts).toContain("Apply complete! Resources: 2 added, 0 changed, 0 destroyed.");

    const rest = await workspace.plan();
    expect(changesOf(rest.plans[0])).toEqual([
      ["terraform_data.later", "CREATE"],
      ["terraform_data.other", "CREATE"],
    ]);
    expect(rest.warnings).toEqual([]);
  });

  it("replans the whole configuration with an empty list, and the run's own targets without one", async () => {
    const { api } = holdpoint;
    const workspace = await holdpoint.workspace("retarget", { "main.tf": data("a") + data("b") });
    const planned = await workspace.plan({ targets: ["terraform_data.a"] });
    expect(changesOf(planned.plans[0])).toEqual([["terraform_data.a", "CREATE"]]);
    expect(planned.warnings.length).toBeGreaterThan(0);
    const replan = async (planVersion: number, input: Record<string, unknown>): Promise<Data> => {
      await command(api, "replanRun", { runId: planned.id, planVersion, ...input });
      await waitForStatus(api, planned.id, "AWAITING_PLAN_APPROVAL");
      return (await workspace.run(planned.id)).plans.at(-1);
    };
    expect(changesOf(await replan(1, {}))).toEqual([["terraform_data.a", "CREATE"]]);
    expect(await replan(2, { targets: [] })).toMatchObject({ version: 3, complete: true, ...counts({ additions: 2 }) });
  });

  it("discards and cancels at both gates and rejects at the first; nothing was changed and the workspace is free", async () => {
    const { api } = holdpoint;
    const workspace = await holdpoint.workspace("no", { "main.tf": data("a") });
    const atApplyGate = async (): Promise<string> => {
      const { id: runId } = await workspace.plan();
      await command(api, "approveRun", { runId, gate: "PLAN", planVersion: 1 });
      return runId;
    };

    const first = (await workspace.plan()).id;
    expect(await command(api, "discardRun", { runId: first, comment: "not now" })).toMatchObject({
      status: "DISCARDED",
      reason: "not now",
    });
    expect(await workspace.read()).toMatchObject({ ...FREE, deploymentStatus: "PENDING" });

    const second = await atApplyGate();
    expect(await tryCommand(api, "discardRun", { runId: second, planVersion: 7 })).toMatchObject({
      code: "STALE_PLAN",
    });
    expect(await tryCommand(api, "rejectRun", { runId: second, planVersion: 1 })).toMatchObject({
      code: "RUN_STATE_CONFLICT",
      run: { status: "AWAITING_APPLY_APPROVAL" },
    });
    expect(await command(api, "discardRun", { runId: second, planVersion: 1 })).toMatchObject({ status: "DISCARDED" });

    const third = (await workspace.plan()).id;
    expect(await command(api, "rejectRun", { runId: third, planVersion: 1, comment: "too wide" })).toMatchObject({
      status: "REJECTED",
      reason: "too wide",
    });
    const rejected = await workspace.run(third);
    expect(rejected.failure).toMatchObject({
      code: "APPROVAL_REJECTED",
      stage: "APPROVAL",
      category: "POLICY_FAILURE",
    });
    expect(rejected.approvals).toMatchObject([{ gate: "PLAN", decision: "REJECTED" }]);

    const fourth = (await workspace.plan()).id;
    expect(await command(api, "cancelRun", { runId: fourth })).toMatchObject({ status: "DISCARDED" });
    const fifth = await atApplyGate();
    expect(await command(api, "cancelRun", { runId: fifth })).toMatchObject({ status: "DISCARDED" });

    for (const runId of [first, second, third, fourth, fifth]) {
      expect(await tryCommand(api, "approveRun", { runId, gate: "PLAN", planVersion: 1 })).toMatchObject({
        code: "RUN_STATE_CONFLICT",
      });
    }
    expect(await workspace.read()).toMatchObject({ ...FREE, outputs: [] });
    await expectNothingApplied(workspace);
  });
});

async function expectNothingApplied(workspace: TestWorkspace): Promise<void> {
  const run = await workspace.plan();
  expect(run.plans[0]).toMatchObject(counts({ additions: 1 }));
}
