/** Runs of a real engine that a person stops: while it plans, and while it applies. */
import { beforeAll, describe, expect, it } from "vitest";
import { waitForStatus } from "../../support/api.ts";
import { startLoopbackGate } from "../../support/loopback-gate.ts";
import { command, holdsOf } from "../../support/run-steps.ts";
import { data, type Holdpoint, PATIENCE_MS } from "../holdpoint.ts";
import { sharedHoldpoint } from "../shared-holdpoint.ts";
import { ENDLESS, endlessApply } from "./endless-apply.ts";

let holdpoint: Holdpoint;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
});

const FREE = { lock: null, stateLock: null, currentRun: null };

describe.concurrent("a person", { timeout: PATIENCE_MS }, () => {
  it("stops a plan that is being made, and frees the workspace", async () => {
    await using gate = await startLoopbackGate();
    const { api } = holdpoint;
    const workspace = await holdpoint.workspace("stop", { "main.tf": gate.block("plan") + data("a") });
    const runId = await workspace.createRun();
    await gate.arrived("plan");
    expect(await workspace.read()).toMatchObject({ deploymentStatus: "DEPLOYING", currentRun: { id: runId } });
    const asked = await command(api, "cancelRun", { runId, comment: "wrong branch" });
    expect(asked).toMatchObject({ status: "PLANNING", cancelRequested: { at: expect.any(String) } });
    // The engine heard of it; only then may it get its answer.
    await workspace.waitForLine(runId, "Interrupt received");
    gate.open("plan");
    await waitForStatus(api, runId, "STOPPED");
    const stopped = await workspace.run(runId);
    expect(stopped).toMatchObject({
      forced: false,
      leg: "PLAN",
      reason: "wrong branch",
      cancelRequested: null,
      plans: [],
    });
    expect(stopped.phases.at(-1)).toEqual({ kind: "PLAN", attempt: 1, status: "CANCELED" });
    expect(await workspace.read()).toMatchObject(FREE);
    await workspace.write({ "main.tf": data("a") });
    expect((await workspace.deploy()).outcome).toBe("APPLIED");
  });

  it("stops an apply, which saves its state and leaves no lock", async () => {
    const workspace = await holdpoint.workspace("interrupted", ENDLESS);
    await workspace.update({ interruptApply: true });
    const runId = await endlessApply(holdpoint.api, workspace);
    await command(holdpoint.api, "cancelRun", { runId, comment: "wrong region" });
    await waitForStatus(holdpoint.api, runId, "STOPPED");
    expect(await workspace.run(runId)).toMatchObject({
      status: "STOPPED",
      leg: "APPLY",
      forced: false,
      reason: "wrong region",
      requiredAction: "FIX_AND_RERUN",
      failure: { code: "APPLY_INTERRUPTED", appliedAddresses: ["terraform_data.first"], stateUncertain: false },
    });
    expect(await holdsOf(holdpoint.api, workspace.id)).toEqual(FREE);
    // What was made is in the state: only the rest is planned.
    await workspace.write({ "main.tf": ENDLESS["main.tf"].replace(/while :.*done/, "true") });
    const next = await workspace.plan();
    expect(next.plans[0]?.text).not.toContain("terraform_data.first will be created");
  });
});
