import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Api } from "../support/api.ts";
import { fakePlan } from "../support/fake-runner.ts";
import { walk } from "../support/walk.ts";
import { EVERY_PART, openScene, type Place, PLACES, report, type Scene, type Spot } from "./scene.ts";

const ASKED = "success, a stop is asked for";
const CONFLICT = "conflict";

/** What comes of a cancel in each place: the status it ends in, or what is said instead. */
const MATRIX = {
  QUEUED: ["CANCELED", "CANCELED"],
  READY: ["CANCELED", "CANCELED"],
  REPLAN_REQUESTED: ["CANCELED", "CANCELED"],
  PREPARING: [ASKED, ASKED],
  INITIALIZING: [ASKED, ASKED],
  PLANNING: [ASKED, ASKED],
  "PREPARING/REPLAN": [ASKED, ASKED],
  "INITIALIZING/REPLAN": [ASKED, ASKED],
  "PLANNING/REPLAN": [ASKED, ASKED],
  AWAITING_PLAN_APPROVAL: ["DISCARDED", "DISCARDED"],
  AWAITING_APPLY_APPROVAL: ["DISCARDED", "DISCARDED"],
  CONFIRMED: [CONFLICT, "STOPPED"],
  "PREPARING/APPLY": [CONFLICT, "STOPPED"],
  APPLYING: [CONFLICT, CONFLICT],
  FINISHED: [CONFLICT, CONFLICT],
  FAILED: [CONFLICT, CONFLICT],
  REJECTED: [CONFLICT, CONFLICT],
  DISCARDED: [CONFLICT, CONFLICT],
  CANCELED: [CONFLICT, CONFLICT],
  STOPPED: [CONFLICT, CONFLICT],
} as const satisfies Record<Place, readonly [plain: string, force: string]>;

/** What a person does next in each place, where it is not to wait. */
const REQUIRED: Partial<Record<Place, string>> = {
  AWAITING_PLAN_APPROVAL: "REVIEW_PLAN",
  AWAITING_APPLY_APPROVAL: "CONFIRM_APPLY",
  FINISHED: "NONE",
  FAILED: "FIX_AND_RERUN",
  REJECTED: "FIX_AND_RERUN",
  DISCARDED: "NONE",
  CANCELED: "NONE",
  STOPPED: "NONE",
};

let scene: Scene;
let writer: Api & { actorId: string };
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  writer = await scene.login("WRITER");
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

it.each(walk(PLACES, 6))("%s", async (place) => {
  const [plain, force] = MATRIX[place];
  const spot = await scene.reach(place);
  expect((await scene.run(spot.runId, "requiredAction")).requiredAction).toBe(REQUIRED[place] ?? "WAIT");
  await expectEnd(spot, place, false, plain);
  // A refused cancel changes nothing: then force can be tried on the same run.
  await expectEnd(plain === CONFLICT ? spot : await scene.reach(place), place, true, force);
});

async function expectEnd({ runId, workspaceId }: Spot, place: Place, force: boolean, expected: string): Promise<void> {
  const before = await scene.run(runId);
  const input = { runId, force, comment: "not today" };
  const answer = await scene.send("cancelRun", input, scene.api, EVERY_PART);
  const { run } = answer;
  if (expected === CONFLICT) {
    expect(answer).toMatchObject({ __typename: "RunStateConflictError", code: "RUN_STATE_CONFLICT" });
    expect(run).toEqual(before);
  } else if (expected === ASKED) {
    expect(answer.__typename).toBe("CancelRunSuccess");
    expect(run).toMatchObject({ status: before.status, leg: before.leg, version: before.version + 1, forced: false });
    expect(run.cancelRequested.actor.id).toBe("usr_00000000000000000000000000");
    const wait = Date.parse(run.cancelRequested.forceAllowedAt) - Date.parse(run.cancelRequested.at);
    expect(wait).toBe(60_000);
    // Asked again it changes nothing, by force neither: the request is too young.
    expect((await scene.send("cancelRun", input)).run.version).toBe(run.version);
  } else {
    expect(run).toMatchObject({ status: expected, isTerminal: true, reason: "not today", cancelRequested: null });
    expect(run.forced).toBe(expected === "STOPPED");
    expect(run.finishedAt).not.toBeNull();
    if (place !== "QUEUED") expect((await scene.workspace(workspaceId)).currentRun).toBeNull();
    // An end that is sent again finds a run that has ended.
    expect(await scene.send("cancelRun", input, scene.api, EVERY_PART)).toMatchObject({
      code: "RUN_STATE_CONFLICT",
      run,
    });
  }
}

it.each(walk(["READY", "PLANNING", "AWAITING_PLAN_APPROVAL", "CONFIRMED", "FINISHED"] as const, 2))(
  "force is for admins: %s",
  async (place) => {
    const { runId } = await scene.reach(place);
    const approver = await scene.login("APPROVER");
    const before = await scene.run(runId);
    for (const api of [writer, approver]) {
      expect(await scene.send("cancelRun", { runId, force: true }, api)).toMatchObject({ code: "FORBIDDEN" });
    }
    expect(await scene.run(runId)).toEqual(before);
  },
);

describe.each(walk(["PREPARING", "INITIALIZING", "PLANNING", "PREPARING/REPLAN", "PLANNING/REPLAN"] as const, 2))(
  "a runner that does not answer in %s",
  (place) => {
    it("is fenced by force once the request is 60 s old, and not a millisecond before", async () => {
      const { runId, workspaceId, job } = await scene.reach(place);
      const second = await scene.createRun(workspaceId);
      await job.lockState("mine");
      await scene.send("cancelRun", { runId, comment: "stop it" }, writer);
      const asked = await scene.run(runId);
      scene.server.advance(59_999);
      const early = await scene.send("cancelRun", { runId, force: true });
      expect(early.run).toMatchObject({ status: asked.status, version: asked.version });
      scene.server.advance(1);
      const { run } = await scene.send("cancelRun", { runId, force: true, comment: "enough" }, scene.api, EVERY_PART);
      expect(run).toMatchObject({ status: "STOPPED", forced: true, reason: "enough", failure: null });
      expect(run.phases.at(-1).status).toBe("CANCELED");
      // The workspace is free, the state lock went with the lease, the next run is in.
      expect(await scene.workspace(workspaceId)).toMatchObject({
        lock: null,
        stateLock: null,
        currentRun: { id: second },
      });
      for (const late of [job.message({ type: "prepared" }), job.heartbeat(), job.log("PLAN", "late")]) {
        expect(await late).toMatchObject({ status: 410, body: { code: "JOB_OVER" } });
      }
      expect((await scene.run(runId, "version")).version).toBe(run.version);
    });
  },
);

it("force on a confirmed run ends it, frees the workspace and lets the next one in", async () => {
  const { runId, workspaceId } = await scene.reach("CONFIRMED");
  const second = await scene.createRun(workspaceId);
  expect((await scene.run(second, "status")).status).toBe("QUEUED");
  const { run } = await scene.send("cancelRun", { runId, force: true });
  expect(run).toMatchObject({ status: "STOPPED", leg: "APPLY", forced: true, outcome: null, appliedAt: null });
  expect((await scene.workspace(workspaceId)).currentRun).toEqual({ id: second });
  expect((await scene.run(second, "status")).status).toBe("READY");
  await expect(scene.claim(runId)).rejects.toThrow("not to be claimed");
});

it("force while an apply is being prepared fences its runner before it can begin", async () => {
  const { runId, workspaceId, job } = await scene.reach("PREPARING/APPLY");
  await job.lockState("mine");
  await scene.send("cancelRun", { runId, force: true });
  expect(await job.message({ type: "prepared" })).toMatchObject({ status: 410, body: { code: "JOB_OVER" } });
  expect(await job.lockState("again")).toMatchObject({ status: 410 });
  expect(await job.writeState("mine", { serial: 1, lineage: "l" })).toMatchObject({ status: 410 });
  expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, stateLock: null, currentRun: null });
});

describe("a stop that was asked for", () => {
  it("wins over a plan that comes after it", async () => {
    const { runId, workspaceId, job } = await scene.reach("PLANNING");
    await scene.send("cancelRun", { runId, comment: "wrong branch" }, writer);
    expect((await job.heartbeat()).body).toEqual({ cancelRequested: true, expired: null });
    await job.request("PUT", "archive", Buffer.from("archive"));
    expect(await job.message({ type: "planned", plan: fakePlan() })).toEqual({ status: 200, body: { goOn: false } });
    const run = await scene.run(runId);
    expect(run).toMatchObject({ status: "STOPPED", forced: false, reason: "wrong branch", plan: null, failure: null });
    expect((await scene.workspace(workspaceId)).currentRun).toBeNull();
  });

  it("is acknowledged by the runner in each stretch, in the name of who asked", async () => {
    for (const place of ["PREPARING", "INITIALIZING", "PLANNING", "PREPARING/REPLAN"] as const) {
      const { runId, job } = await scene.reach(place);
      await scene.send("cancelRun", { runId, comment: "no" }, writer);
      expect((await job.message({ type: "stopped" })).body).toEqual({ goOn: false });
      expect(await scene.run(runId, "status", "reason", "cancelRequested")).toMatchObject({
        status: "STOPPED",
        reason: "no",
        cancelRequested: null,
      });
      const { run } = await scene.api.ask(
        `query ($id: ID!) { run(id: $id) { events(last: 1) { edges { node { actor { id }
          ... on RunStatusChanged { to reason } } } } } }`,
        { id: runId },
      );
      expect(run.events.edges[0].node).toEqual({ actor: { id: writer.actorId }, to: "STOPPED", reason: "no" });
    }
  });

  it("lets a failure that comes after it be a failure", async () => {
    const { runId, job } = await scene.reach("PLANNING");
    await scene.send("cancelRun", { runId });
    const failure = report("PLAN_FAILED");
    expect((await job.message({ type: "failed", failure })).body).toEqual({ goOn: false });
    expect(await scene.run(runId, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "PLAN_FAILED" },
    });
  });

  it("keeps its reason where the runner hands the run back instead", async () => {
    const { runId, job } = await scene.reach("PLANNING");
    await scene.send("cancelRun", { runId, comment: "wrong branch" }, writer);
    expect((await job.message({ type: "handedBack" })).body).toEqual({ goOn: false });
    expect(await scene.run(runId, "status", "reason")).toMatchObject({ status: "STOPPED", reason: "wrong branch" });
  });
});

it("a runner cannot stop what nobody asked to stop", async () => {
  const { runId, job } = await scene.reach("PLANNING");
  expect(await job.message({ type: "stopped" })).toMatchObject({ status: 409, body: { code: "OUT_OF_ORDER" } });
  expect((await scene.run(runId, "status")).status).toBe("PLANNING");
});
