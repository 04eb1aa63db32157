// lockScope EXECUTION: the workspace is let go at the gates and taken again at the claim.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const EXECUTION = { lockScope: "EXECUTION" };
const approve = async (runId: string) => {
  await scene.quick("approveRun", { runId, gate: "PLAN", planVersion: 1 });
  await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
};
const holder = async (workspaceId: string) => (await scene.workspace(workspaceId)).currentRun?.id ?? null;

it("the next run goes while people decide; who is approved waits for it, and goes before the queue", async () => {
  const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", EXECUTION);
  expect(await holder(workspaceId)).toBeNull();
  const second = await scene.createRun(workspaceId);
  expect(await holder(workspaceId)).toBe(second);
  const job = await scene.claim(second);
  const third = await scene.createRun(workspaceId);
  await approve(runId);
  expect((await scene.run(runId, "blockers")).blockers).toMatchObject([
    { kind: "WORKSPACE_BUSY", run: { id: second }, position: 1 },
  ]);
  expect((await scene.run(third, "blockers")).blockers).toMatchObject([
    { kind: "WORKSPACE_BUSY", run: { id: second }, position: 2 },
  ]);
  await expect(scene.claim(runId)).rejects.toThrow("not to be claimed");
  await job.plan();
  expect(await scene.run(third, "status", "blockers")).toMatchObject({
    status: "QUEUED",
    blockers: [{ kind: "WORKSPACE_BUSY", run: { id: runId } }],
  });
  const apply = await scene.claim(runId);
  expect(apply.job.leg).toBe("APPLY");
  expect(await holder(workspaceId)).toBe(runId);
  await apply.apply(1);
  // The plan of the second one is of an older state.
  expect((await scene.run(second, "status")).status).toBe("DISCARDED");
  expect((await scene.run(third, "status")).status).toBe("READY");
});

it("an approved run whose state moved ends at its claim: no runner gets it, and the next one goes", async () => {
  const first = await scene.reach("CONFIRMED", "DEPLOY", EXECUTION);
  const { workspaceId } = first;
  const other = (await scene.reach("READY")).runId;
  await scene.rows("update workspace set state_serial = 7 where id = $1", workspaceId);
  const behind = await scene.createRun(workspaceId);
  const job = await scene.claim(other);
  expect(job.job.run.id).toBe(other);
  const ended = await scene.run(first.runId);
  expect(ended).toMatchObject({
    status: "FAILED",
    leg: "APPLY",
    failure: { code: "PLAN_STALE", stateUncertain: false },
  });
  expect(await scene.rows("select 1 from job where run_id = $1 and leg = 'APPLY'", first.runId)).toEqual([]);
  expect((await scene.run(behind, "status")).status).toBe("READY");
  expect(await scene.rows("select 1 from dispatch where run_id = $1", first.runId)).toEqual([]);
});

it("a replan takes the workspace again as well", async () => {
  const { workspaceId, runId } = await scene.reach("AWAITING_PLAN_APPROVAL", "DEPLOY", EXECUTION);
  const second = await scene.createRun(workspaceId);
  await scene.quick("replanRun", { runId, planVersion: 1 });
  expect((await scene.run(runId, "blockers")).blockers).toMatchObject([
    { kind: "WORKSPACE_BUSY", run: { id: second } },
  ]);
  await scene.quick("cancelRun", { runId: second });
  expect((await scene.claim(runId)).job.leg).toBe("REPLAN");
  expect(await holder(workspaceId)).toBe(runId);
});
