/** Hints of transitions: those who wait for changesets are woken by an apply, and by nothing else. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { announced } from "../support/announced.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

it("an apply wakes the workspaces downstream, once", async () => {
  const { runId, job } = await scene.reach("PREPARING/APPLY");
  const started = await announced(scene.server, () => job.message({ type: "prepared" }));
  expect(started).toContain(`run:${runId}`);
  expect(started).not.toContain("changesets");
  expect(started).not.toContain(`log:${runId}`);
  const applied = await announced(scene.server, () => job.message({ type: "applied", appliedAddresses: [] }));
  expect(applied).toContain(`run:${runId}`);
  expect(applied.filter((topic) => topic === "changesets")).toHaveLength(1);
  // Readers of the log learn that no line follows.
  expect(applied).toContain(`log:${runId}`);
});

it("blockers that change wake the readers of the runs that wait, and of no other", async () => {
  const { workspaceId, runId } = await scene.reach("PREPARING");
  const waiting = await scene.createRun(workspaceId);
  const topics = await announced(scene.server, () => scene.quick("updateWorkspace", { workspaceId, paused: true }));
  expect(topics).toContain(`run:${waiting}`);
  expect(topics).not.toContain(`run:${runId}`);
});

it("a run that ends without an apply wakes none of them", async () => {
  const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  const topics = await announced(scene.server, () => scene.quick("discardRun", { runId }));
  expect(topics).toContain(`run:${runId}`);
  expect(topics).not.toContain("changesets");
});
