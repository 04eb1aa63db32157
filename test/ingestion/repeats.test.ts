import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openScene, type Place, report, type Scene, type Spot } from "../domain/scene.ts";
import { claimAnswer, type FakeJob, fakePlan } from "../support/fake-runner.ts";
import { walk } from "../support/walk.ts";

type MessageBody = Parameters<FakeJob["message"]>[0];

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

/** Everything that a repeated request could add to a run. */
async function traceOf({ runId, workspaceId }: Spot): Promise<unknown> {
  const [counts] = await scene.rows(
    `select (select row(version, status, attempt, plan_version)::text from run where id = $1) as run,
      (select count(*) from run_event where run_id = $1) as events, (select count(*) from phase where run_id = $1) as phases,
      (select count(*) from plan where run_id = $1) as plans, (select count(*) from job where run_id = $1) as jobs,
      (select last_line from log_head where run_id = $1) as lines,
      (select count(*) from blob where workspace_id = $2) as blobs,
      (select count(*) from state_version where workspace_id = $2) as states,
      (select string_agg(lock_id, ',') from state_lock where workspace_id = $2) as locks`,
    runId,
    workspaceId,
  );
  return counts;
}

const plan = fakePlan();
const MESSAGES: [Place, MessageBody, goOn: boolean, after: string][] = [
  ["PREPARING", { type: "prepared" }, true, "INITIALIZING"],
  ["INITIALIZING", { type: "initialized" }, true, "PLANNING"],
  ["PLANNING", { type: "planned", plan }, false, "AWAITING_PLAN_APPROVAL"],
  ["PLANNING", { type: "failed", failure: report("PLAN_FAILED") }, false, "FAILED"],
  ["PLANNING", { type: "handedBack" }, false, "READY"],
  ["PLANNING/REPLAN", { type: "handedBack" }, false, "REPLAN_REQUESTED"],
  ["PREPARING/APPLY", { type: "prepared" }, true, "APPLYING"],
  ["PREPARING/APPLY", { type: "handedBack" }, false, "CONFIRMED"],
  ["APPLYING", { type: "applied", appliedAddresses: ["a.b"] }, false, "FINISHED"],
  ["APPLYING", { type: "failed", failure: report("APPLY_FAILED", { appliedAddresses: ["a.b"] }) }, false, "FAILED"],
];

describe("a message that is sent again is answered as before and changes nothing more", () => {
  it.each(walk(MESSAGES, 3))("in %s: %j", async (place, body, goOn, after) => {
    const spot = await scene.reach(place);
    const { job } = spot;
    await job.request("PUT", "archive", Buffer.from("archive"));
    const first = await job.message(body);
    expect(first).toEqual({ status: 200, body: { goOn } });
    const trace = await traceOf(spot);
    expect((await scene.run(spot.runId, "status")).status).toBe(after);
    for (let i = 0; i < 2; i++) expect(await job.message(body, job.sequence)).toEqual(first);
    expect(await traceOf(spot)).toEqual(trace);
    // The same number with other words is not that message.
    const other: MessageBody = body.type === "prepared" ? { type: "initialized" } : { type: "prepared" };
    expect(await job.message(other, job.sequence)).toMatchObject(
      goOn ? { status: 409, body: { code: "OUT_OF_ORDER" } } : { status: 410, body: { code: "JOB_OVER" } },
    );
    expect(await traceOf(spot)).toEqual(trace);
  });

  it("stopped", async () => {
    const spot = await scene.reach("PLANNING");
    await scene.quick("cancelRun", { runId: spot.runId });
    const first = await spot.job.message({ type: "stopped" });
    const trace = await traceOf(spot);
    expect(await spot.job.message({ type: "stopped" }, spot.job.sequence)).toEqual(first);
    expect(await traceOf(spot)).toEqual(trace);
  });

  it("also where both are on their way at once", async () => {
    const spot = await scene.reach("PREPARING");
    const before = (await scene.run(spot.runId, "version")).version;
    const both = await Promise.all([1, 1, 1].map((sequence) => spot.job.message({ type: "prepared" }, sequence)));
    expect(both).toEqual(both.map(() => ({ status: 200, body: { goOn: true } })));
    expect((await scene.run(spot.runId, "version")).version).toBe(before + 3);
  });
});

describe("messages out of order", () => {
  it.each([
    ["ahead", 2],
    ["far ahead", 2_147_483_648],
  ])("are refused: %s", async (_, sequence) => {
    const spot = await scene.reach("PREPARING");
    const trace = await traceOf(spot);
    expect(await spot.job.message({ type: "prepared" }, sequence)).toMatchObject({
      status: 409,
      body: { code: "OUT_OF_ORDER", message: `The next message must have the sequence 1, not ${sequence}.` },
    });
    expect(await traceOf(spot)).toEqual(trace);
  });

  it("are refused: an older one", async () => {
    const spot = await scene.reach("PLANNING");
    expect(await spot.job.message({ type: "prepared" }, 1)).toMatchObject({ status: 409 });
  });

  it.each<[Place, ...MessageBody[]]>([
    ["PREPARING", { type: "initialized" }, { type: "planned", plan }, { type: "applied", appliedAddresses: [] }],
    ["INITIALIZING", { type: "prepared" }, { type: "planned", plan }],
    ["PLANNING", { type: "initialized" }, { type: "applied", appliedAddresses: [] }, { type: "stopped" }],
    ["PREPARING/APPLY", { type: "initialized" }, { type: "planned", plan }, { type: "stopped" }],
    ["APPLYING", { type: "prepared" }, { type: "planned", plan }, { type: "stopped" }, { type: "handedBack" }],
  ])("that do not fit %s are refused, and their number is free", async (place, ...bodies) => {
    const spot = await scene.reach(place);
    // Where it may be put at all: a plan is refused for its place, not for a missing archive.
    await spot.job.request("PUT", "archive", Buffer.from("archive"));
    const trace = await traceOf(spot);
    const sequence = spot.job.sequence + 1;
    for (const body of bodies) {
      const { status, body: refusal } = await spot.job.message(body, sequence);
      expect([body.type, [400, 409].includes(status)]).toEqual([body.type, true]);
      expect(refusal.message).not.toBe("");
      expect(await traceOf(spot)).toEqual(trace);
    }
    const next = { type: "failed", failure: report("INIT_FAILED") } as const;
    expect(await spot.job.message(next, sequence)).toEqual({ status: 200, body: { goOn: false } });
  });

  it("a plan without its archive is refused, and can follow it", async () => {
    const { job } = await scene.reach("PLANNING");
    expect(await job.message({ type: "planned", plan })).toMatchObject({ status: 400, body: { code: "MALFORMED" } });
    await job.request("PUT", "archive", Buffer.from("archive"));
    expect((await job.message({ type: "planned", plan }, job.sequence)).status).toBe(200);
  });
});

describe("other requests that are sent again", () => {
  it("a claim gives the same job while that is live, then nothing", async () => {
    const { runId } = await scene.reach("READY");
    const { url, runnerToken } = scene.server;
    const claimId = randomUUID();
    const first = await claimAnswer(url, runnerToken, claimId);
    expect(first.body.job.run.id).toBe(runId);
    expect(await claimAnswer(url, runnerToken, claimId)).toEqual(first);
    await scene.quick("cancelRun", { runId });
    await scene.server.jobs.report(
      { type: "job", jobId: first.body.job.id, runId: first.body.job.run.id, kind: "DEPLOY", leg: "PLAN" },
      { sequence: 1, type: "stopped" },
    );
    expect((await claimAnswer(url, runnerToken, claimId)).status).toBe(204);
  });

  it("a claim that is sent again while it is under way gets one job", async () => {
    await scene.reach("READY");
    await scene.reach("READY");
    const { url, runnerToken } = scene.server;
    const claimId = randomUUID();
    const answers = await Promise.all([1, 2, 3, 4].map(() => claimAnswer(url, runnerToken, claimId)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.job.id)).size).toBe(1);
  });

  it("log lines", async () => {
    const spot = await scene.reach("PLANNING");
    const first = await spot.job.log("PLAN", "one", "two");
    const trace = await traceOf(spot);
    spot.job.nextLine = 1;
    expect(await spot.job.log("PLAN", "one", "two")).toEqual(first);
    expect(await traceOf(spot)).toEqual(trace);
  });

  it("an archive replaces the one before it", async () => {
    const spot = await scene.reach("PLANNING");
    await Promise.all(["a", "b", "c"].map((body) => spot.job.request("PUT", "archive", Buffer.from(body))));
    expect(await spot.job.request("PUT", "archive", Buffer.from("last"))).toEqual({ status: 204, body: null });
    const blobs = await scene.rows(
      "select size from blob where workspace_id = $1 and kind = 'ARCHIVE'",
      spot.workspaceId,
    );
    expect(blobs).toEqual([{ size: 4 }]);
  });

  it("a state, its lock and its unlock", async () => {
    const spot = await scene.reach("APPLYING");
    const { job } = spot;
    const state = { version: 4, serial: 1, lineage: "l", outputs: {} };
    for (const request of [() => job.lockState("x"), () => job.writeState("x", state), () => job.unlockState("x")]) {
      const first = await request();
      expect(first.status).toBe(200);
      const trace = await traceOf(spot);
      expect(await request()).toEqual(first);
      expect(await traceOf(spot)).toEqual(trace);
    }
  });
});
