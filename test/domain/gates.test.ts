import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { EVERY_PART, openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

it("a rejection ends the run with a failure that says who and why", async () => {
  const { runId, workspaceId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  const grace = await scene.login("APPROVER", { name: "grace" });
  const input = { runId, planVersion: 1, comment: "Not in\nproduction." };
  const { run } = await scene.send("rejectRun", input, grace, EVERY_PART);
  expect(run).toMatchObject({ status: "REJECTED", reason: "Not in\nproduction.", requiredAction: "FIX_AND_RERUN" });
  expect(run.failure).toEqual({
    code: "APPROVAL_REJECTED",
    stage: "APPROVAL",
    category: "POLICY_FAILURE",
    retryable: false,
    summary: "grace rejected plan 1.",
    message: "Not in\nproduction.",
    evidence: [],
    appliedAddresses: null,
    stateUncertain: false,
  });
  expect(run.approvals).toEqual([
    {
      gate: "PLAN",
      stage: null,
      decision: "REJECTED",
      counts: true,
      comment: "Not in\nproduction.",
      planVersion: 1,
      planDigest: run.plan.digest,
      actor: { id: grace.actorId },
    },
  ]);
  expect(run.phases.at(-1)).toEqual({ kind: "PLAN_APPROVAL", attempt: 1, status: "FAILED" });
  expect((await scene.workspace(workspaceId)).currentRun).toBeNull();
});

it("a rejection without a comment has a failure all the same", async () => {
  const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  const { run } = await scene.send("rejectRun", { runId, planVersion: 1 }, scene.api, EVERY_PART);
  expect(run).toMatchObject({ status: "REJECTED", reason: null, failure: { code: "APPROVAL_REJECTED" } });
  expect(run.failure.message).not.toBe("");
});

it.each(["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL"] as const)(
  "a discard in %s ends the run without a failure; the plan's version may be left out",
  async (place) => {
    for (const input of [{ comment: "not now" }, { comment: "not now", planVersion: 1 }]) {
      const { runId, workspaceId } = await scene.reach(place);
      const { run } = await scene.send("discardRun", { runId, ...input }, scene.api, EVERY_PART);
      expect(run).toMatchObject({ status: "DISCARDED", reason: "not now", failure: null, requiredAction: "NONE" });
      expect(run.phases.at(-1).status).toBe("CANCELED");
      expect((await scene.workspace(workspaceId)).currentRun).toBeNull();
    }
  },
);

it.each([{}, { targets: ["terraform_data.a"] }])(
  "a plan without changes asks nobody: the run is over and the workspace free (%j)",
  async (input) => {
    const workspaceId = await scene.createWorkspace();
    const runId = await scene.createRun(workspaceId, input);
    const job = await scene.claim(runId);
    expect((await job.plan({ hasChanges: false, resourceChanges: [] })).body).toEqual({ goOn: false });
    const run = await scene.run(runId);
    expect(run).toMatchObject({
      status: "FINISHED",
      outcome: "NO_CHANGES",
      leg: "PLAN",
      approvals: [],
      appliedAt: null,
    });
    expect(run.plan.version).toBe(1);
    const workspace = await scene.workspace(workspaceId);
    expect(workspace).toMatchObject({ currentRun: null, stateLock: null, deploymentStatus: "PENDING" });
    expect((await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 })).code).toBe("RUN_STATE_CONFLICT");
  },
);

it("changes are the engine's word: a plan that lists none can have some", async () => {
  const runId = await scene.createRun(await scene.createWorkspace());
  await (await scene.claim(runId)).plan({ hasChanges: true, resourceChanges: [] });
  expect((await scene.run(runId, "status")).status).toBe("AWAITING_PLAN_APPROVAL");
});

describe("where the plan gate opens only when something asks for it", () => {
  it.each(["DEPLOY", "DESTROY"] as const)("a %s goes straight to the apply gate", async (kind) => {
    const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL", kind, { planApproval: "WHEN_REQUIRED" });
    const run = await scene.run(runId);
    expect(run).toMatchObject({ status: "AWAITING_APPLY_APPROVAL", requiredAction: "CONFIRM_APPLY", approvals: [] });
    expect((await scene.send("approveRun", { runId, gate: "PLAN", planVersion: 1 })).code).toBe("RUN_STATE_CONFLICT");
    expect((await scene.send("rejectRun", { runId, planVersion: 1 })).code).toBe("RUN_STATE_CONFLICT");
    expect((await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 1 })).run).toMatchObject({
      status: "CONFIRMED",
      leg: kind === "DEPLOY" ? "APPLY" : "DESTROY",
    });
  });
});

it("what a person does next after an apply was stopped by force", async () => {
  const { runId } = await scene.reach("PREPARING/APPLY");
  const { run } = await scene.send("cancelRun", { runId, force: true });
  expect(run.requiredAction).toBe("FIX_AND_RERUN");
});
