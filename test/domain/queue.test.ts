import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import { claim } from "../support/fake-runner.ts";
import { walk } from "../support/walk.ts";
import { openScene, type Place, report, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

it("a second run waits and says for whom, at which place", async () => {
  const { runId, workspaceId } = await scene.reach("PLANNING");
  const second = await scene.createRun(workspaceId);
  const third = await scene.createRun(workspaceId, { kind: "DESTROY" });
  const busy = {
    kind: "WORKSPACE_BUSY",
    message: "Run 1 holds the workspace. Wait for its end, or cancel it.",
    run: { id: runId },
  };
  expect((await scene.run(second, "blockers")).blockers).toEqual([{ ...busy, position: 1 }]);
  expect((await scene.run(third, "blockers")).blockers).toEqual([{ ...busy, position: 2 }]);
  expect(await scene.run(third, "status", "requiredAction", "phases")).toMatchObject({
    status: "QUEUED",
    requiredAction: "WAIT",
    phases: [],
  });
  // Whoever leaves the queue moves the others up.
  await scene.send("cancelRun", { runId: second });
  expect((await scene.run(third, "blockers")).blockers).toEqual([{ ...busy, position: 1 }]);
  expect((await scene.workspace(workspaceId)).currentRun).toEqual({ id: runId });
});

const ENDS: [string, Place, (spot: Awaited<ReturnType<Scene["reach"]>>) => Promise<unknown>][] = [
  ["FINISHED, applied", "PREPARING/APPLY", ({ job }) => job.apply(1)],
  ["FINISHED, no changes", "PREPARING", ({ job }) => job.plan({ hasChanges: false })],
  ["FAILED", "PLANNING", ({ job }) => job.message({ type: "failed", failure: report("PLAN_FAILED") })],
  ["REJECTED", "AWAITING_PLAN_APPROVAL", ({ runId }) => scene.send("rejectRun", { runId, planVersion: 1 })],
  ["DISCARDED", "AWAITING_APPLY_APPROVAL", ({ runId }) => scene.send("discardRun", { runId })],
  ["CANCELED", "REPLAN_REQUESTED", ({ runId }) => scene.send("cancelRun", { runId })],
  [
    "STOPPED",
    "INITIALIZING",
    async ({ runId, job }) => {
      await scene.send("cancelRun", { runId });
      await job.message({ type: "stopped" });
    },
  ],
  ["STOPPED by force", "CONFIRMED", ({ runId }) => scene.send("cancelRun", { runId, force: true })],
];

it.each(walk(ENDS, 3))("the next run, and only that, is let in when the first one ends: %s", async (_, place, end) => {
  const spot = await scene.reach(place);
  const { workspaceId } = spot;
  const second = await scene.createRun(workspaceId);
  const third = await scene.createRun(workspaceId);
  await end(spot);
  expect((await scene.run(spot.runId, "isTerminal")).isTerminal).toBe(true);
  expect(await scene.run(second, "status", "version")).toMatchObject({ status: "READY", version: 2 });
  const waiting = await scene.run(third);
  expect(waiting).toMatchObject({ status: "QUEUED", blockers: [{ kind: "WORKSPACE_BUSY", run: { id: second } }] });
  expect((await scene.workspace(workspaceId)).currentRun).toEqual({ id: second });
});

describe("a locked workspace", () => {
  it("lets no run in, says so, and lets it in when it is unlocked", async () => {
    const { workspaceId } = await scene.reach("CANCELED");
    await scene.rows(
      "update workspace set lock_reason = 'MANUAL', lock_note = 'mine', locked_at = now() where id = $1",
      workspaceId,
    );
    const runId = await scene.createRun(workspaceId);
    const run = await scene.run(runId);
    expect(run).toMatchObject({ status: "QUEUED", requiredAction: "RELEASE_LOCK", version: 1 });
    expect(run.blockers).toMatchObject([{ kind: "WORKSPACE_LOCKED", run: null, position: null }]);
    await scene.send("unlockWorkspace", { workspaceId, force: true });
    expect(await scene.run(runId, "status", "requiredAction")).toMatchObject({
      status: "READY",
      requiredAction: "WAIT",
    });
  });

  it("keeps an approved run from being applied, and its gates open", async () => {
    const { workspaceId, runId } = await scene.reach("AWAITING_APPLY_APPROVAL");
    await scene.rows("update workspace set lock_reason = 'MANUAL', locked_at = now() where id = $1", workspaceId);
    expect((await scene.send("approveRun", { runId, gate: "APPLY", planVersion: 1 })).run.status).toBe("CONFIRMED");
    const run = await scene.run(runId);
    expect(run).toMatchObject({ requiredAction: "RELEASE_LOCK", blockers: [{ kind: "WORKSPACE_LOCKED" }] });
    await expect(scene.claim(runId)).rejects.toThrow("not to be claimed");
    await scene.send("unlockWorkspace", { workspaceId, force: true });
    expect((await scene.claim(runId)).job.leg).toBe("APPLY");
  });
});

describe("a paused workspace", () => {
  it("lets no run in, and gives none to a runner", async () => {
    const { workspaceId, runId } = await scene.reach("READY");
    await scene.quick("updateWorkspace", { workspaceId, paused: true });
    expect((await scene.run(runId, "blockers")).blockers).toMatchObject([{ kind: "WORKSPACE_PAUSED" }]);
    expect((await scene.workspace(workspaceId)).deploymentStatus).toBe("PAUSED");
    await expect(scene.claim(runId)).rejects.toThrow("not to be claimed");
    await scene.send("cancelRun", { runId });
    const next = await scene.createRun(workspaceId);
    expect(await scene.run(next, "status", "blockers")).toMatchObject({
      status: "QUEUED",
      blockers: [{ kind: "WORKSPACE_PAUSED" }],
    });
  });
});

it("a run that nobody asks to execute says so", async () => {
  await using own = await openScene();
  const { runId } = await own.reach("READY");
  expect((await own.run(runId)).blockers).toMatchObject([{ kind: "NO_RUNNER", run: null, position: 1 }]);
  const { runId: other } = await own.reach("READY");
  await own.claim(other);
  expect((await own.run((await own.reach("READY")).runId)).blockers).toEqual([]);
  own.server.advance(61_000);
  expect((await own.run((await own.reach("READY")).runId)).blockers).toMatchObject([{ kind: "NO_RUNNER" }]);
});

it("an organization's limit holds across its workspaces, and the next run is taken when one ends", async () => {
  await using own = await openScene(3);
  const { url, runnerToken, deps } = own.server;
  const take = () => claim(url, runnerToken);
  const runs = [];
  for (let i = 0; i < 5; i++) runs.push((await own.reach("READY")).runId);
  const jobs = [await take(), await take(), await take()];
  expect(jobs.map((job) => job?.job.run.id)).toEqual(runs.slice(0, 3));
  expect(await take()).toBeNull();
  for (const runId of runs.slice(3)) {
    const [blocker, ...rest] = (await own.run(runId)).blockers;
    expect(blocker).toMatchObject({
      kind: "ORGANIZATION_LIMIT",
      message: "The organization has 3 of 3 concurrent runs. Wait, or raise `concurrencyLimit`.",
    });
    expect(rest).toEqual([]);
  }
  // One that waits for people occupies no runner.
  await jobs[1]?.plan();
  expect((await own.run(runs[3] ?? "")).blockers).not.toContainEqual(
    expect.objectContaining({ kind: "ORGANIZATION_LIMIT" }),
  );
  const fourth = await take();
  expect(fourth?.job.run.id).toBe(runs[3]);
  expect(await take()).toBeNull();
  // An apply comes before plans, where there is room for one.
  await own.quick("approveRun", { runId: runs[1], gate: "PLAN", planVersion: 1 });
  await own.quick("approveRun", { runId: runs[1], gate: "APPLY", planVersion: 1 });
  expect((await own.run(runs[1] ?? "")).blockers).toMatchObject([{ kind: "ORGANIZATION_LIMIT" }]);
  await fourth?.message({
    type: "failed",
    failure: report("INIT_FAILED"),
  });
  expect((await take())?.job).toMatchObject({ run: { id: runs[1] }, leg: "APPLY" });
  // So does a lease that was lost, and a run that was fenced.
  own.server.advance(31_000);
  await loseExpiredLeases(deps);
  expect((await take())?.job.leg).toBe("APPLY");
  expect(own.server.reported).toEqual([]);
});
