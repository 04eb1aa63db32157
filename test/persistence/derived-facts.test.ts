// What is derived from several tables: deployment view, blockers, which approvals count, what can be claimed.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ADMIN_ACTOR_ID, SYSTEM_ACTOR_ID } from "../../src/model/people/actor.ts";
import type { Approval } from "../../src/model/approval/approval.ts";
import { createIds } from "../../src/model/kit/id.ts";
import type { Run } from "../../src/model/run/run.ts";
import type { RunEvent } from "../../src/model/run/run-event.ts";
import type { Workspace } from "../../src/model/workspace/workspace.ts";
import { insertApproval, listApprovals } from "../../src/persistence/approval/approval-store.ts";
import { findWaitingRunDetails } from "../../src/persistence/dispatch/blocker-store.ts";
import { findDeploymentInputs } from "../../src/persistence/workspace/deployment-store.ts";
import { findNext } from "../../src/persistence/run/run-queue-store.ts";
import { updateRun } from "../../src/persistence/run/run-change-store.ts";
import { findHolders } from "../../src/persistence/run/run-store.ts";
import { setWorkspaceLock } from "../../src/persistence/workspace/workspace-lock-store.ts";
import { findWorkspace } from "../../src/persistence/workspace/workspace-store.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
let workspace: Workspace;

beforeAll(async () => {
  stores = await openStores();
});

afterAll(() => stores[Symbol.asyncDispose]());

beforeEach(async () => {
  workspace = await stores.addWorkspace();
});

const deployment = async () => (await findDeploymentInputs(stores.database, [workspace.id]))[0];
const BEFORE_APPLY = ["READY", "PREPARING", "INITIALIZING", "PLANNING", "AWAITING_PLAN_APPROVAL"] as const;

async function atGate(run: Run): Promise<Run> {
  let moved = run;
  for (const status of BEFORE_APPLY) moved = await stores.move(moved, status);
  return moved;
}

async function applying(run: Run): Promise<Run> {
  const confirmed = await stores.move(await atGate(run), "CONFIRMED", { leg: "APPLY" });
  return stores.move(await stores.move(confirmed, "PREPARING"), "APPLYING", { applyingAt: AT });
}

test("the deployment view follows the newest run that mattered", async () => {
  const nothing = { paused: false, deploying: false, last: null, applied: false, health: "UNKNOWN" };
  expect(await deployment()).toEqual(nothing);

  const first = await stores.addRun(workspace);
  expect(await deployment()).toEqual({ ...nothing, deploying: true });
  const waiting = await atGate(first);
  expect(await deployment()).toEqual(nothing);
  await stores.move(waiting, "DISCARDED");
  expect(await deployment()).toEqual(nothing);

  const second = await applying(await stores.addRun(workspace));
  expect(await deployment()).toEqual({ ...nothing, deploying: true });
  await stores.move(second, "FINISHED", { outcome: "APPLIED", appliedAt: AT });
  const running = {
    ...nothing,
    applied: true,
    last: { kind: "DEPLOY", status: "FINISHED", outcome: "APPLIED", applied: true },
  };
  expect(await deployment()).toEqual(running);

  await stores.move(await stores.addRun(workspace), "CANCELED");
  await stores.move(await stores.addRun(workspace, "PLAN"), "FAILED");
  expect(await deployment()).toEqual(running);
  await stores.move(await applying(await stores.addRun(workspace)), "STOPPED");
  const stopped = { kind: "DEPLOY", status: "STOPPED", outcome: null, applied: false };
  expect(await deployment()).toEqual({ ...running, last: stopped });
  const verifying = await stores.move(await applying(await stores.addRun(workspace)), "VERIFYING", { appliedAt: AT });
  expect(await deployment()).toEqual({ ...running, deploying: true, last: stopped });
  await stores.move(verifying, "STOPPED");
  expect(await deployment()).toEqual({ ...running, last: { ...stopped, applied: true } });
});

test("a waiting run is told who has the workspace, who is ahead and where it stands", async () => {
  const runs = [];
  for (let number = 1; number <= 3; number++) runs.push(await stores.addRun(workspace));
  const [first, second, third] = runs;
  if (first === undefined || second === undefined || third === undefined) throw new Error("There are three runs.");
  const facts = async (run: Run) =>
    (
      await findWaitingRunDetails(stores.database, [{ run, mayApply: true }], {
        at: AT,
        runnersSince: AT,
        knownSince: AT,
      })
    )[0];

  expect(await facts(first)).toMatchObject({ holder: null, queued: null, queuedPosition: 1, place: null });
  expect(await facts(third)).toMatchObject({ holder: null, queued: { id: first.id, number: 1 }, queuedPosition: 3 });
  const holding = await stores.move(first, "READY", { holdsWorkspace: true });
  expect(await facts(third)).toMatchObject({ holder: { id: first.id }, queued: { id: second.id }, queuedPosition: 2 });
  expect(await facts(holding)).toMatchObject({ holder: null });
  expect((await findHolders(stores.database, [workspace.id]))[0]?.id).toBe(first.id);
  const around = { at: AT, paused: false, lock: null, lockRunId: null, frozenUntil: null };
  expect((await findNext(stores.database, workspace.id, around))?.id).toBe(second.id);

  const lock = {
    reason: "MANUAL",
    runId: first.id,
    actorId: ADMIN_ACTOR_ID,
    note: "why",
    since: AT,
    expiresAt: null,
  } as const;
  await stores.database.transaction((tx) => setWorkspaceLock(tx, workspace.id, lock));
  expect((await findWorkspace(stores.database, workspace.id))?.lock).toEqual(lock);
  await stores.database.transaction((tx) => setWorkspaceLock(tx, workspace.id, null));
  expect((await findWorkspace(stores.database, workspace.id))?.lock).toBeNull();
});

/** Ways to decide about a run, and to ask which decisions count. */
function decisions(run: Run) {
  const approve = async (overrides: Partial<Approval>): Promise<void> => {
    const approval = {
      id: stores.newId("approval"),
      runId: run.id,
      gate: "PLAN",
      stage: null,
      decision: "APPROVED",
      actorId: ADMIN_ACTOR_ID,
      approverKind: "PERSON",
      countsAs: overrides.actorId ?? ADMIN_ACTOR_ID,
      present: false,
      comment: null,
      planVersion: 1,
      planDigest: "d",
      applyAt: null,
      at: AT,
    } as const;
    await stores.database.transaction((tx) => insertApproval(tx, { ...approval, ...overrides }));
  };
  const counting = async () =>
    (await listApprovals(stores.database, [run.id])).flat().map(({ comment, counts }) => [comment, counts]);
  return { approve, counting };
}

test("only an actor's newest decision about the newest plan counts, and none once a replan was asked for", async () => {
  const run = await stores.addRun(workspace);
  const { approve, counting } = decisions(run);

  const waiting = await atGate(run);
  await approve({ comment: "an older plan", planVersion: 0 });
  await approve({ comment: "changed their mind" });
  await approve({ comment: "the newest", decision: "REJECTED" });
  await approve({ comment: "at the other gate", gate: "APPLY" });
  await approve({ comment: "another person", actorId: SYSTEM_ACTOR_ID });
  const planned = await stores.move(waiting, "AWAITING_APPLY_APPROVAL", { planVersion: 1 });
  expect(await counting()).toEqual([
    ["an older plan", false],
    ["changed their mind", false],
    ["the newest", true],
    ["at the other gate", true],
    ["another person", true],
  ]);
  await stores.move(planned, "REPLAN_REQUESTED", { leg: "REPLAN" });
  expect((await counting()).map(([, counts]) => counts)).toEqual([false, false, false, false, false]);
});

test("of several stages each has a newest decision; a withdrawal takes one back, whatever server's clock made its id", async () => {
  const run = await stores.addRun(workspace);
  const { approve, counting } = decisions(run);
  await approve({ comment: "first", stage: "first" });
  await approve({ comment: "second", stage: "second" });
  const late = createIds(
    () => new Date("2001-01-01T00:00:00Z"),
    (count) => new Uint8Array(count),
  );
  await approve({ comment: "taken back", stage: "first", decision: "WITHDRAWN", id: late("approval") });
  expect(await counting()).toEqual([
    ["first", false],
    ["second", true],
    ["taken back", false],
  ]);
  await approve({ comment: "no", decision: "REJECTED" });
  expect((await counting()).filter(([, counts]) => counts)).toEqual([["no", true]]);
});

test("a change that names nothing of the run changes its version alone", async () => {
  const run = await stores.addRun(workspace);
  const other = await stores.addRun(workspace);
  const news = ({ id }: Run): RunEvent[] => [
    { runId: id, version: 2, at: AT, actorId: ADMIN_ACTOR_ID, type: "CHANGED", fields: [] },
  ];
  const request = { actorId: ADMIN_ACTOR_ID, at: AT };
  const write = stores.database.transaction(async (tx) => {
    const changed = await updateRun(tx, run, { cancelRequest: request }, news(run));
    expect(changed).toEqual({ ...run, version: 2, cancelRequest: request });
    expect(await updateRun(tx, other, {}, news(other))).toEqual({ ...other, version: 2 });
    throw new Error("enough");
  });
  await expect(write).rejects.toThrow("enough");
});
