/** What a cancel and force do to runs that apply or perform, and what is told about it beforehand. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { walk } from "../support/walk.ts";
import { EVERY_PART, NO_JOB, openScene, report, type Scene, type Spot } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  // The clock stands: a run that waits longer than a moment says so, and on a busy machine would between two looks.
  scene = await openScene(1000, { standing: true });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const FORCE_AFTER_MS = 60_000;
const ALLOWED = { interruptApply: true, tasksAllowed: true };
const FORBIDDEN = { interruptApply: false, tasksAllowed: true };

type Kind = "DEPLOY" | "DESTROY" | "TASK" | "UNLOCK";
type Stage = "QUEUED" | "READY" | "GATE" | "CONFIRMED" | "PREPARING" | "INITIALIZING" | "AT_WORK";

/** The stretches of each kind from its gate on, or from its beginning where it has no gate. */
const STAGES: Record<Kind, readonly Stage[]> = {
  DEPLOY: ["CONFIRMED", "PREPARING", "AT_WORK"],
  DESTROY: ["CONFIRMED", "PREPARING", "AT_WORK"],
  TASK: ["QUEUED", "GATE", "CONFIRMED", "PREPARING", "INITIALIZING", "AT_WORK"],
  UNLOCK: ["QUEUED", "READY", "PREPARING", "INITIALIZING", "AT_WORK"],
};
const APPLY_PLACES = { CONFIRMED: "CONFIRMED", PREPARING: "PREPARING/APPLY", AT_WORK: "APPLYING" } as const;

async function work(kind: "TASK" | "UNLOCK", stage: Stage, settings: object): Promise<Spot> {
  const workspaceId = await scene.createWorkspace(settings);
  // It is held by a run that comes first.
  if (stage === "QUEUED") await scene.createRun(workspaceId);
  const runId = await scene.createRun(workspaceId, { kind, ...(kind === "TASK" && { command: "terraform output" }) });
  let job = NO_JOB;
  const steps: [Stage, () => Promise<unknown>][] = [
    ["CONFIRMED", async () => kind === "TASK" && scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 0 })],
    ["PREPARING", async () => (job = await scene.claim(runId))],
    ["INITIALIZING", () => job.message({ type: "prepared" })],
    ["AT_WORK", () => job.message({ type: "initialized" })],
  ];
  const until = steps.findIndex(([reached]) => reached === stage);
  for (const [, step] of steps.slice(0, until + 1)) await step();
  return { workspaceId, runId, job };
}

function reach(kind: Kind, stage: Stage, settings: object): Promise<Spot> {
  if (kind === "TASK" || kind === "UNLOCK") return work(kind, stage, settings);
  if (!(stage in APPLY_PLACES)) throw new Error(`${kind} is not brought to ${stage} here.`);
  return scene.reach(APPLY_PLACES[stage as keyof typeof APPLY_PLACES], kind, settings);
}

type End = "CANCELED" | "DISCARDED" | "STOPPED" | "ASKED" | "CONFLICT";

/** By lifecycle: a cancel, force at once, and force 60 s after a first cancel. */
function expected(kind: Kind, stage: Stage, interruptible: boolean): [plain: End, force: End, late: End | null] {
  switch (stage) {
    case "QUEUED":
    case "READY":
      return ["CANCELED", "CANCELED", null];
    case "GATE":
      return ["DISCARDED", "DISCARDED", null];
    case "CONFIRMED":
      return ["CONFLICT", "STOPPED", "STOPPED"];
    case "PREPARING":
      return kind === "TASK" || kind === "UNLOCK" ? ["ASKED", "ASKED", "STOPPED"] : ["CONFLICT", "STOPPED", "STOPPED"];
    case "INITIALIZING":
      return ["ASKED", "ASKED", "STOPPED"];
    case "AT_WORK":
      return interruptible ? ["ASKED", "ASKED", "STOPPED"] : ["CONFLICT", "CONFLICT", "CONFLICT"];
  }
}

async function expectAnswer(runId: string, force: boolean, end: End): Promise<Data> {
  const before = await scene.run(runId);
  const allowed = (name: string): boolean => before.actions.find(({ action }: Data) => action === name).allowed;
  // What is told beforehand is what is answered.
  expect(allowed(force ? "FORCE_STOP" : "STOP")).toBe(end === (force ? "STOPPED" : "ASKED"));
  if (!force) expect(allowed("CANCEL")).toBe(end !== "CONFLICT");
  const answer = await scene.send("cancelRun", { runId, force, comment: "enough" }, scene.api, EVERY_PART);
  const after = await scene.run(runId);
  if (end === "CONFLICT") {
    expect(answer).toMatchObject({ code: "RUN_STATE_CONFLICT", run: { id: runId, status: before.status } });
    expect(after).toEqual(before);
  } else if (end === "ASKED") {
    expect(after).toMatchObject({ status: before.status, cancelRequested: { at: expect.any(String) } });
    expect(answer.run).toEqual(after);
  } else {
    expect(after).toMatchObject({ status: end, forced: end === "STOPPED", reason: "enough", cancelRequested: null });
  }
  return after;
}

const CASES = (Object.keys(STAGES) as Kind[]).flatMap((kind) =>
  STAGES[kind].flatMap((stage) => [true, false].map((interruptible) => [kind, stage, interruptible] as const)),
);

it.each(walk(CASES, 8))("%s at %s, interruptApply %s", async (kind, stage, interruptible) => {
  const settings = interruptible ? ALLOWED : FORBIDDEN;
  const [plain, force, late] = expected(kind, stage, interruptible);
  const first = await reach(kind, stage, settings);
  await expectAnswer(first.runId, false, plain);
  if (late !== null) {
    scene.server.advance(FORCE_AFTER_MS);
    const run = await expectAnswer(first.runId, true, late);
    if (late === "STOPPED") await expectFenced(first, run, stage === "AT_WORK");
  }
  await expectAnswer((await reach(kind, stage, settings)).runId, true, force);
});

async function expectFenced({ job, workspaceId, runId }: Spot, run: Data, atWork: boolean): Promise<void> {
  if (job.job.id !== "") expect(await job.heartbeat()).toMatchObject({ status: 410 });
  const { lock, currentRun } = await scene.workspace(workspaceId);
  expect(currentRun).toBeNull();
  if (!atWork) {
    expect([lock, run.failure]).toEqual([null, null]);
    return;
  }
  expect(lock).toMatchObject({ reason: "APPLY_INTERRUPTED", run: { id: runId } });
  expect(run.failure).toMatchObject({ code: "APPLY_INTERRUPTED", stateUncertain: true, retryable: false });
}

describe("force on an apply", () => {
  it("keeps the state lock, and a cancel that was refused counts as the first one", async () => {
    const { runId, workspaceId, job } = await scene.reach("APPLYING", "DEPLOY", FORBIDDEN);
    await job.lockState("mine");
    await expectAnswer(runId, false, "CONFLICT");
    await scene.quick("updateWorkspace", { workspaceId, interruptApply: true });
    // Too young: force is but a request, and the older of both counts.
    scene.server.advance(FORCE_AFTER_MS / 2);
    const asked = await expectAnswer(runId, true, "ASKED");
    const waitMs = Date.parse(asked.cancelRequested.forceAllowedAt) - Date.parse(asked.cancelRequested.at);
    expect(waitMs).toBeLessThanOrEqual(FORCE_AFTER_MS / 2);
    scene.server.advance(FORCE_AFTER_MS / 2);
    await expectAnswer(runId, true, "STOPPED");
    expect(await scene.workspace(workspaceId)).toMatchObject({
      lock: { reason: "APPLY_INTERRUPTED" },
      stateLock: { id: "mine", run: { id: runId } },
    });
    // Kept beside the line, as its last words: it is never made current by itself.
    expect(await job.writeState("mine", { serial: 1, lineage: "l" })).toMatchObject({ status: 202 });
    expect((await scene.workspace(workspaceId)).stateLock).toMatchObject({ id: "mine" });
  });

  it("does not count what was refused before it began to apply, or to somebody without the right", async () => {
    const { runId, job } = await scene.reach("PREPARING/APPLY", "DEPLOY", ALLOWED);
    expect(await scene.send("cancelRun", { runId })).toMatchObject({ code: "RUN_STATE_CONFLICT" });
    scene.server.advance(1);
    await job.message({ type: "prepared" });
    const reader = await scene.login("READER");
    expect(await scene.send("cancelRun", { runId }, reader)).toMatchObject({ code: "FORBIDDEN" });
    scene.server.advance(FORCE_AFTER_MS);
    await job.heartbeat();
    await expectAnswer(runId, true, "ASKED");
  });

  it("waits for the limit of the workspace", async () => {
    const { runId, workspaceId } = await scene.reach("APPLYING", "DEPLOY", ALLOWED);
    await scene.rows(`update workspace set limits = '{"forceStopAfterMs":5000}' where id = $1`, workspaceId);
    const asked = await expectAnswer(runId, false, "ASKED");
    const { at, forceAllowedAt } = asked.cancelRequested;
    expect(Date.parse(forceAllowedAt) - Date.parse(at)).toBe(5000);
    scene.server.advance(5000);
    await expectAnswer(runId, true, "STOPPED");
  });
});

describe("a stop that the workspace allows", () => {
  const saved = report("APPLY_INTERRUPTED", { stage: "APPLY", appliedAddresses: ["terraform_data.a"] });

  it("ends an apply whose state is saved without a lock, and says what was applied", async () => {
    const { runId, workspaceId, job } = await scene.reach("APPLYING", "DEPLOY", ALLOWED);
    await job.lockState("mine");
    await scene.send("cancelRun", { runId, comment: "wrong region" });
    expect((await job.heartbeat()).body).toMatchObject({ cancelRequested: true });
    await job.writeState("mine", { version: 4, serial: 1, lineage: "l", outputs: {} });
    expect((await job.message({ type: "stopped", failure: saved })).body).toEqual({ goOn: false });
    expect(await scene.run(runId, "status", "forced", "reason", "requiredAction", "failure")).toMatchObject({
      status: "STOPPED",
      forced: false,
      reason: "wrong region",
      requiredAction: "FIX_AND_RERUN",
      failure: { code: "APPLY_INTERRUPTED", appliedAddresses: ["terraform_data.a"], stateUncertain: false },
    });
    expect(await scene.workspace(workspaceId)).toMatchObject({ lock: null, stateLock: null, currentRun: null });
  });

  it("locks the workspace where the state was not saved, or where nobody says so", async () => {
    for (const failure of [{ ...saved, stateUncertain: true }, undefined]) {
      const { runId, workspaceId, job } = await scene.reach("APPLYING", "DESTROY", ALLOWED);
      await scene.send("cancelRun", { runId });
      await job.message({ type: "stopped", ...(failure && { failure }) });
      expect(await scene.run(runId, "status", "failure")).toMatchObject({
        status: "STOPPED",
        failure: { stateUncertain: true },
      });
      expect((await scene.workspace(workspaceId)).lock).toMatchObject({ reason: "APPLY_INTERRUPTED" });
    }
  });

  it("is not passed on any more once the workspace forbids it; what was interrupted by then is a failure", async () => {
    const { runId, workspaceId, job } = await scene.reach("APPLYING", "DEPLOY", ALLOWED);
    await scene.send("cancelRun", { runId });
    await scene.quick("updateWorkspace", { workspaceId, interruptApply: false });
    expect((await job.heartbeat()).body).toMatchObject({ cancelRequested: false });
    expect((await scene.run(runId, "cancelRequested")).cancelRequested).toMatchObject({ forceAllowedAt: null });
    scene.server.advance(FORCE_AFTER_MS);
    await job.heartbeat();
    await expectAnswer(runId, true, "CONFLICT");
    await job.message({ type: "stopped", failure: saved });
    expect(await scene.run(runId, "status", "failure")).toMatchObject({
      status: "FAILED",
      failure: { code: "APPLY_INTERRUPTED" },
    });
  });

  it("keeps a task that has not begun from beginning", async () => {
    const { runId, job } = await reach("TASK", "INITIALIZING", FORBIDDEN);
    await scene.send("cancelRun", { runId, comment: "no" });
    expect((await job.message({ type: "initialized" })).body).toEqual({ goOn: false });
    expect(await scene.run(runId, "status", "reason", "failure")).toMatchObject({
      status: "STOPPED",
      reason: "no",
      failure: null,
    });
  });

  it("of a task says how far it got", async () => {
    const { runId, job } = await reach("TASK", "AT_WORK", ALLOWED);
    await scene.send("cancelRun", { runId });
    await job.message({ type: "stopped", failure: report("APPLY_INTERRUPTED") });
    expect(await scene.run(runId, "status", "failure")).toMatchObject({
      status: "STOPPED",
      failure: { stateUncertain: false },
    });
  });
});
