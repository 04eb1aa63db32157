// Why runs wait, for whom, and who hears of it: from the database, with the scheduler's rounds by hand.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { reportShortages } from "../../src/domain/lifecycle/report-blockers.ts";
import { scheduleRound } from "../../src/domain/rounds/scheduler-round.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { claim } from "../support/fake-runner.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const round = (of = scene) => scheduleRound(of.server.deps);
const inMs = (ms: number, of = scene) => new Date(of.server.deps.clock().getTime() + ms).toISOString();

/** Kinds of what is in the way, and how often listeners were told that it changed. */
async function waits(runId: string, of = scene): Promise<[string[], number]> {
  const { run } = await of.api.ask(`query ($id: ID!) { run(id: $id) { blockers { kind } } }`, { id: runId });
  const rows = await of.rows(`select 1 from run_event where run_id = $1 and data->'fields' ? 'blockers'`, runId);
  return [run.blockers.map(({ kind }: { kind: string }) => kind), rows.length];
}

const details = async (runId: string, of = scene) =>
  (
    await of.api.ask(
      `query ($id: ID!) { run(id: $id) { blockers { kind position since until estimatedStartAt run { id } } } }`,
      { id: runId },
    )
  ).run.blockers;

describe("who waits in a workspace", () => {
  it("hears of the pause, the lock and the next holder, once each", async () => {
    const { workspaceId, runId, job } = await scene.reach("PREPARING");
    const second = await scene.createRun(workspaceId);
    const third = await scene.createRun(workspaceId);
    expect(await waits(third)).toEqual([["WORKSPACE_BUSY"], 0]);
    await scene.quick("updateWorkspace", { workspaceId, paused: true });
    expect(await waits(third)).toEqual([["WORKSPACE_PAUSED", "WORKSPACE_BUSY"], 1]);
    await scene.quick("updateWorkspace", { workspaceId, paused: false });
    await scene.quick("lockWorkspace", { workspaceId });
    expect(await waits(third)).toEqual([["WORKSPACE_LOCKED", "WORKSPACE_BUSY"], 3]);
    await scene.quick("unlockWorkspace", { workspaceId });
    expect(await waits(third)).toEqual([["WORKSPACE_BUSY"], 4]);
    // Nothing that it waits for: no event.
    await job.message({ type: "prepared" });
    await scene.quick("updateWorkspace", { workspaceId, description: "another" });
    await round();
    expect(await waits(third)).toEqual([["WORKSPACE_BUSY"], 4]);
    await scene.quick("cancelRun", { runId });
    await job.message({ type: "stopped" });
    // Another run has the workspace: the same kind, another subject.
    expect((await details(third))[0].run.id).toBe(second);
    expect(await waits(third)).toEqual([["WORKSPACE_BUSY"], 5]);
    // What came to its status by the same change needs no event of its own.
    expect((await waits(second))[1]).toBe(4);
  });

  it("is told in bounded numbers; who comes nearer is told then", async () => {
    const { workspaceId, runId } = await scene.reach("READY");
    const behind = [];
    for (let i = 0; i <= LIMITS.blockersReported; i++) behind.push(await scene.createRun(workspaceId));
    await scene.quick("updateWorkspace", { workspaceId, paused: true });
    const [last = "", ...others] = behind.toReversed();
    for (const id of others) expect(await waits(id)).toEqual([["WORKSPACE_PAUSED", "WORKSPACE_BUSY"], 1]);
    expect(await waits(last)).toEqual([["WORKSPACE_PAUSED", "WORKSPACE_BUSY"], 0]);
    await scene.quick("cancelRun", { runId });
    await scene.quick("cancelRun", { runId: others[0] });
    expect((await waits(last))[1]).toBe(1);
  });
});

it("a scheduled run says for when, and goes with the round that follows", async () => {
  const workspaceId = await scene.createWorkspace();
  const scheduledAt = inMs(60_000);
  const runId = await scene.createRun(workspaceId, { scheduledAt });
  // Whoever comes later does not wait for it.
  const other = await scene.createRun(workspaceId, { kind: "PLAN" });
  expect((await scene.run(other, "status")).status).toBe("READY");
  expect(await details(runId)).toMatchObject([{ kind: "SCHEDULED_AT", until: scheduledAt }]);
  await round();
  expect((await scene.run(runId, "status")).status).toBe("QUEUED");
  scene.server.advance(60_001);
  // Even before the round it says why it waits.
  expect(await waits(runId)).toEqual([["SCHEDULED_AT"], 0]);
  await round();
  expect((await scene.run(runId, "status")).status).toBe("READY");
});

it("a freeze window keeps approved runs from being claimed, by the clock alone", async () => {
  const { workspaceId, runId } = await scene.reach("CONFIRMED");
  // Open in every second hour of the day.
  const at = scene.server.deps.clock();
  const hour = at.getUTCHours();
  const window = { name: "w", cron: `0 ${(hour + 1) % 24} * * *`, durationMinutes: 60, timeZone: "UTC" };
  await scene.quick("updateWorkspace", { workspaceId, freezeWindows: [window] });
  expect((await waits(runId))[0]).not.toContain("FREEZE_WINDOW");
  const opens = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), hour + 1);
  scene.server.advance(opens - scene.server.deps.clock().getTime() + 1000);
  // The row is still there, but no runner gets it.
  await expect(scene.claim(runId)).rejects.toThrow("not to be claimed");
  const until = new Date(opens + 3_600_000).toISOString();
  expect(await details(runId)).toMatchObject([{ kind: "FREEZE_WINDOW", until }]);
  expect((await waits(runId))[1]).toBe(1);
  await round();
  expect((await waits(runId))[1]).toBe(1);
  scene.server.advance(3_600_000);
  // A runner asks, in vain.
  await expect(scene.claim(runId)).rejects.toThrow("not to be claimed");
  await round();
  expect((await waits(runId))[0]).not.toContain("FREEZE_WINDOW");
  expect((await waits(runId))[1]).toBe(2);
  expect((await scene.claim(runId)).job.leg).toBe("APPLY");
});

it("places and runners come and go: one event each, none with every round; no run waits without a blocker", async () => {
  await using own = await openScene(1);
  const { url, runnerToken } = own.server;
  const first = (await own.reach("READY")).runId;
  const second = (await own.reach("READY")).runId;
  const both = async () => [await waits(first, own), await waits(second, own)];
  // Nobody has ever asked for work.
  expect(await both()).toEqual([
    [["NO_RUNNER"], 0],
    [["ORGANIZATION_LIMIT"], 0],
  ]);
  for (let i = 0; i < 3; i++) await round(own);
  expect(await both()).toEqual([
    [["NO_RUNNER"], 1],
    [["ORGANIZATION_LIMIT"], 1],
  ]);
  // What else happens in the workspace does not take it back.
  const [row] = await own.rows("select workspace_id from run where id = $1", first);
  await own.createRun(row?.["workspace_id"]);
  expect(await waits(first, own)).toEqual([["NO_RUNNER"], 1]);
  const job = await claim(url, runnerToken);
  expect(job?.job.run.id).toBe(first);
  // A higher limit gives the second one its place; runners are there, but none takes it.
  await own.quick("updateOrganization", {
    organizationId: (await own.rows("select id from organization"))[0]?.id,
    concurrencyLimit: 2,
  });
  own.server.advance(LIMITS.schedulerMs + 1);
  await round(own);
  expect(await waits(second, own)).toEqual([["NO_RUNNER"], 2]);
  await round(own);
  expect(await waits(second, own)).toEqual([["NO_RUNNER"], 2]);
  expect(own.server.reported).toEqual([]);
});

it("a run whose blockers cannot be recorded is reported, and keeps none of the others", async () => {
  await using own = await openScene();
  const runs = [(await own.reach("READY")).runId, (await own.reach("READY")).runId];
  const { deps } = own.server;
  const failed: unknown[] = [];
  const reportError: typeof deps.reportError = (error, doing) => failed.push([error, doing]);
  const isLost = new Error("It is lost.");
  let calls = 0;
  const transaction: typeof deps.database.transaction = (work) =>
    ++calls === 1 ? Promise.reject(isLost) : deps.database.transaction(work);
  expect(await reportShortages({ ...deps, database: { ...deps.database, transaction }, reportError })).toBe(2);
  expect(failed).toEqual([[isLost, expect.stringMatching(/^recording the blockers of run_/)]]);
  const told = await Promise.all(runs.map(async (runId) => (await waits(runId, own))[1]));
  expect(told.filter((times) => times === 1)).toHaveLength(1);
});

it("plans of one workspace are offered one after the other; the others say so", async () => {
  const workspaceId = await scene.createWorkspace();
  const runs = [];
  for (let i = 0; i < 3; i++) runs.push(await scene.createRun(workspaceId, { kind: "PLAN" }));
  const [first = "", second = "", third = ""] = runs;
  expect(await details(second)).toMatchObject([{ kind: "NO_RUNNER" }]);
  expect(await scene.rows("select run_id from dispatch where workspace_id = $1", workspaceId)).toEqual([
    { run_id: first },
  ]);
  await scene.quick("prioritizeRun", { runId: third, priority: 5 });
  expect(await scene.rows("select run_id from dispatch where workspace_id = $1", workspaceId)).toEqual([
    { run_id: third },
  ]);
});

it("an estimate comes with the fifth run of a workspace", async () => {
  const workspaceId = await scene.createWorkspace();
  const work = async () => {
    const runId = await scene.createRun(workspaceId);
    const job = await scene.claim(runId);
    scene.server.advance(10_000);
    await job.plan({ hasChanges: false });
  };
  const estimate = async () => {
    const holder = await scene.createRun(workspaceId);
    const behind = await scene.createRun(workspaceId);
    const [blocker] = await details(behind);
    await scene.quick("cancelRun", { runId: behind });
    await scene.quick("cancelRun", { runId: holder });
    return blocker.estimatedStartAt;
  };
  for (let i = 0; i < 4; i++) await work();
  expect(await estimate()).toBeNull();
  await work();
  const before = scene.server.deps.clock().getTime();
  const start = Date.parse(await estimate());
  expect(start - before).toBeGreaterThan(9_000);
});

describe("prioritizeRun", () => {
  it("moves a run that waits, and says so", async () => {
    const { workspaceId } = await scene.reach("PLANNING");
    const second = await scene.createRun(workspaceId);
    const third = await scene.createRun(workspaceId);
    await scene.quick("prioritizeRun", { runId: third, priority: 10 });
    expect((await details(third))[0]).toMatchObject({ kind: "WORKSPACE_BUSY", position: 1 });
    expect((await details(second))[0]).toMatchObject({ kind: "WORKSPACE_BUSY", position: 2 });
    const [event] = await scene.rows(
      `select data->'fields' as fields from run_event where run_id = $1 and type = 'CHANGED'`,
      third,
    );
    expect(event?.fields).toEqual(["priority"]);
  });

  it("is refused where nothing waits, out of bounds, and to readers", async () => {
    const { runId } = await scene.reach("PLANNING");
    expect(await scene.send("prioritizeRun", { runId, priority: 1 })).toMatchObject({ code: "RUN_STATE_CONFLICT" });
    expect(await scene.send("prioritizeRun", { runId, priority: 101 })).toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: ["priority"] }],
    });
    expect((await scene.send("prioritizeRun", { runId, priority: 1 }, await scene.login("READER"))).code).toBe(
      "FORBIDDEN",
    );
    expect((await scene.send("prioritizeRun", { runId: "run_x", priority: 1 })).code).toBe("NOT_FOUND");
  });
});
