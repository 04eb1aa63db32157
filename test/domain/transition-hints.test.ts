/** Hints of transitions: those who wait for changesets are woken by an apply, and by nothing else. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { CommitFact } from "../../src/persistence/database/database.ts";
import { announced } from "../support/announced.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
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

it("what may change inboxes wakes their readers, and a step of a runner does not", async () => {
  const isHinted = async (step: () => Promise<unknown>): Promise<boolean> =>
    (await announced(scene.server, step)).includes("inbox");
  const other = await scene.reach("PREPARING");
  expect(await isHinted(() => other.job.message({ type: "prepared" }))).toBe(false);
  const { workspaceId, runId, job } = await scene.reach("PREPARING");
  // It comes to a gate, and leaves it.
  expect(await isHinted(() => job.plan())).toBe(true);
  expect(await isHinted(() => scene.quick("discardRun", { runId }))).toBe(true);
  // The run before it is no longer the newest one, whose failure is shown.
  expect(await isHinted(() => scene.createRun(workspaceId))).toBe(true);
  // The rules of a workspace decide which people its runs need.
  expect(await isHinted(() => scene.quick("updateWorkspace", { workspaceId, planApproval: "WHEN_REQUIRED" }))).toBe(
    true,
  );
});

/** Returns the facts that the transactions of a step count. */
async function observed(step: () => Promise<unknown>): Promise<CommitFact[]> {
  const { database } = scene.server.deps;
  const facts: CommitFact[] = [];
  const transaction = database.transaction.bind(database);
  const spy = vi.spyOn(database, "transaction");
  spy.mockImplementation((work, rights) =>
    transaction((tx) => work({ ...tx, observe: (fact) => facts.push(fact) }), rights),
  );
  try {
    await step();
  } finally {
    spy.mockRestore();
  }
  return facts;
}

it("a change of the status is counted with the time that the run was in the one before", async () => {
  const { runId } = await scene.reach("AWAITING_PLAN_APPROVAL");
  scene.server.advance(90_000);
  const facts = await observed(() => scene.quick("discardRun", { runId }));
  expect(facts).toEqual([{ type: "wait", status: "AWAITING_PLAN_APPROVAL", waitedMs: 90_000 }]);
});

it("a change that leaves the status is no end of a wait", async () => {
  const { runId } = await scene.reach("APPLYING", "DEPLOY", { interruptApply: true });
  scene.server.advance(1000);
  expect(await observed(() => scene.quick("cancelRun", { runId }))).toEqual([]);
});
