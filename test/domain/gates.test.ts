import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { openScene, type Place, type Scene } from "./scene.ts";

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
  const { run } = await scene.send("rejectRun", input, grace);
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
  const { run } = await scene.send("rejectRun", { runId, planVersion: 1 });
  expect(run).toMatchObject({ status: "REJECTED", reason: null, failure: { code: "APPROVAL_REJECTED" } });
  expect(run.failure.message).not.toBe("");
});

it.each(["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL"] as const)(
  "a discard in %s ends the run without a failure; the plan's version may be left out",
  async (place) => {
    for (const input of [{ comment: "not now" }, { comment: "not now", planVersion: 1 }]) {
      const { runId, workspaceId } = await scene.reach(place);
      const { run } = await scene.send("discardRun", { runId, ...input });
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
  expect((await scene.run(runId)).status).toBe("AWAITING_PLAN_APPROVAL");
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

/** What each action sends. */
const SENDS = {
  APPROVE_PLAN: ["approveRun", { gate: "PLAN", planVersion: 1 }],
  APPROVE_APPLY: ["approveRun", { gate: "APPLY", planVersion: 1 }],
  REJECT: ["rejectRun", { planVersion: 1 }],
  DISCARD: ["discardRun", { planVersion: 1 }],
  REPLAN: ["replanRun", { planVersion: 1 }],
  CANCEL: ["cancelRun", {}],
} as const;
const PLAIN = ["APPROVE_PLAN", "APPROVE_APPLY", "REJECT", "DISCARD", "REPLAN", "CANCEL"] as const;

describe("what a run says can be done is what the commands then answer", () => {
  const seldom: Place[] = ["QUEUED", "PLANNING", "CONFIRMED", "APPLYING", "FINISHED"];
  const gates: Place[] = ["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL"];

  it.each([...gates, ...seldom])("%s", async (place) => {
    const first = await scene.reach(place);
    for (const role of ["READER", "WRITER", "APPROVER", "ADMIN"]) {
      const by = await scene.login(role);
      let { runId } = first;
      for (const action of PLAIN) {
        const { run } = await by.ask(`query ($id: ID!) { run(id: $id) { actions { action allowed code reason } } }`, {
          id: runId,
        });
        const said = run.actions.find((each: Data) => each.action === action);
        const [command, input] = SENDS[action];
        const answer = await scene.send(command, { runId, ...input }, by);
        expect({ role, action, code: answer.code ?? null }).toEqual({ role, action, code: said.code });
        expect(said.allowed).toBe(said.code === null);
        expect(said.reason === null).toBe(said.allowed);
        if (said.allowed && action !== PLAIN.at(-1)) runId = (await scene.reach(place)).runId;
        else if (said.allowed && role !== "ADMIN") first.runId = (await scene.reach(place)).runId;
      }
      if (runId !== first.runId) first.runId = (await scene.reach(place)).runId;
    }
  });

  it("a stop is asked for by writers, forced by admins once it is old", async () => {
    const { runId } = await scene.reach("PLANNING");
    const of = async (role: string) => {
      const by = await scene.login(role);
      const { run } = await by.ask(`query ($id: ID!) { run(id: $id) { actions { action allowed code } } }`, {
        id: runId,
      });
      return Object.fromEntries(run.actions.map((each: Data) => [each.action, each.code]));
    };
    expect(await of("READER")).toMatchObject({ STOP: "FORBIDDEN", CANCEL: "FORBIDDEN", FORCE_STOP: "FORBIDDEN" });
    expect(await of("WRITER")).toMatchObject({ STOP: null, FORCE_STOP: "FORBIDDEN", RETRY: "RUN_STATE_CONFLICT" });
    expect(await of("ADMIN")).toMatchObject({ STOP: null, FORCE_STOP: "RUN_STATE_CONFLICT" });
    await scene.send("cancelRun", { runId });
    expect(await of("ADMIN")).toMatchObject({ FORCE_STOP: "RUN_STATE_CONFLICT" });
    scene.server.advance(60_000);
    expect(await of("ADMIN")).toMatchObject({ FORCE_STOP: null });
    expect(await of("APPROVER")).toMatchObject({ FORCE_STOP: "FORBIDDEN" });
  });
});

it("what a person does next after an apply was stopped by force", async () => {
  const { runId } = await scene.reach("PREPARING/APPLY");
  const { run } = await scene.send("cancelRun", { runId, force: true });
  expect(run.requiredAction).toBe("FIX_AND_RERUN");
});
