/** A pool runs so many checks for drift at once; its other runs and other pools are not held back. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { scheduleRound } from "../../../src/domain/rounds/scheduler-round.ts";
import { driftSteps, SAME } from "../../support/drift-steps.ts";
import { addPool, type Pool } from "../../support/fleet.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
let pool: Pool;
let pools = 0;
beforeAll(async () => {
  scene = await openScene(1000);
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(async () => {
  pool = await addPool(scene.server, `limited-${++pools}`, true, 1);
  // A runner of it is there.
  await pool.ask();
});
// What one test leaves must not be claimed by the next one.
afterEach(async () => {
  const left = await scene.rows("select run_id from dispatch");
  for (const { run_id: runId } of left) await scene.quick("cancelRun", { runId });
  expect(scene.server.reported.splice(0)).toEqual([]);
});

const { schedule, runNow, check, applied, send } = driftSteps(() => scene);

/** A check in a workspace of its own, which names the pool. */
async function checkIn(poolId: string | null): Promise<string> {
  const workspaceId = await applied();
  await scene.quick("updateWorkspace", { workspaceId, runnerPoolId: poolId });
  return check(await schedule(workspaceId));
}
const runIn = async (input: object): Promise<string> =>
  scene.createRun(await scene.createWorkspace({ runnerPoolId: pool.id }), input);
async function offered(): Promise<string[]> {
  const rows = await scene.rows("select run_id from dispatch where offered order by run_id");
  return rows.map(({ run_id: runId }) => runId);
}
const blockersOf = async (runId: string): Promise<unknown> => (await scene.run(runId, "blockers { kind }"))["blockers"];
const update = (driftCheckLimit: number | null): Promise<unknown> =>
  send("updateRunnerPool", { poolId: pool.id, driftCheckLimit }, "runnerPool { driftCheckLimit }");

it("gives a slot to one check, and to the next when it ends", async () => {
  const [first, second, third] = [await checkIn(pool.id), await checkIn(pool.id), await checkIn(pool.id)];
  const elsewhere = await checkIn(null);
  const deploy = await runIn({});
  const plan = await runIn({ kind: "PLAN" });
  expect(await offered()).toEqual([first, elsewhere, deploy, plan].toSorted());
  expect(await blockersOf(second)).toEqual([{ kind: "DRIFT_LIMIT" }]);

  await scheduleRound(scene.server.deps);
  const reported = await scene.rows("select reported_blockers from run where id = $1", second);
  expect(reported).toEqual([{ reported_blockers: "DRIFT_LIMIT" }]);

  for (const runId of [deploy, plan]) await scene.quick("cancelRun", { runId });
  const job = await pool.claim();
  expect(job?.job.run.id).toBe(first);
  // It counts while it runs, and nothing else is there for the pool.
  expect(await pool.claim({ name: "two" })).toBeNull();
  expect(await offered()).toEqual([elsewhere]);
  await job?.plan(SAME);
  expect(await offered()).toEqual([second, elsewhere].toSorted());
  expect(await blockersOf(third)).toEqual([{ kind: "DRIFT_LIMIT" }]);
});

it("gives exactly as many slots as it may where checks come at once", async () => {
  await update(2);
  const workspaces: string[] = [];
  const schedules: string[] = [];
  for (let index = 0; index < 6; index++) {
    const workspaceId = await applied();
    await scene.quick("updateWorkspace", { workspaceId, runnerPoolId: pool.id });
    workspaces.push(workspaceId);
    schedules.push(await schedule(workspaceId));
  }
  // A round leaves what another one is at work on: all runs are there once all rounds have ended.
  await Promise.all(schedules.map(runNow));
  const made = await scene.rows("select id from run where workspace_id = any($1) and number = 2", workspaces);
  const runs = made.map(({ id }) => id);
  expect(runs).toHaveLength(6);
  expect(await offered()).toHaveLength(2);
  const [one, two, ...more] = await Promise.all(["a", "b", "c", "d"].map((name) => pool.claim({ name })));
  const taken = [one, two, ...more].filter((job) => job !== null && job !== undefined);
  expect(taken).toHaveLength(2);
  await Promise.all(taken.map((job) => job.plan(SAME)));
  expect(await offered()).toHaveLength(2);
  expect(runs).toEqual(expect.arrayContaining(await offered()));
});

it("follows a changed limit at once", async () => {
  const checks = [await checkIn(pool.id), await checkIn(pool.id), await checkIn(pool.id)].toSorted();
  expect(await offered()).toHaveLength(1);
  expect(await update(2)).toMatchObject({ runnerPool: { driftCheckLimit: 2 } });
  expect(await offered()).toHaveLength(2);
  expect(await update(null)).toMatchObject({ runnerPool: { driftCheckLimit: null } });
  expect(await offered()).toEqual(checks);
  // Those that have a slot keep it.
  await update(1);
  expect(await offered()).toEqual(checks);
});

it("holds where a slot could be moved from a run that waits for other runners", async () => {
  const other = await addPool(scene.server, `busy-${pools}`, true);
  await other.ask();
  const inOther = async (): Promise<string> =>
    scene.createRun(await scene.createWorkspace({ runnerPoolId: other.id }), { kind: "PLAN" });
  const [first, second] = [await checkIn(pool.id), await checkIn(pool.id)];
  await inOther();
  const job = await other.claim();
  const waiting = await inOther();
  const setLimit = (limit: number) => scene.rows("update organization set concurrency_limit = $1", limit);
  // Its job, the run that waits for its runner, and one check.
  await setLimit(3);
  await scheduleRound(scene.server.deps);
  expect(await offered()).toEqual([first, waiting].toSorted());
  const check = await pool.claim();
  expect(check?.job.run.id).toBe(first);
  expect(await pool.claim({ name: "two" })).toBeNull();
  expect(await offered()).toEqual([waiting]);
  await update(null);
  // Without a limit it gets the slot of the run that nobody can take.
  const moved = await pool.claim({ name: "two" });
  expect(moved?.job.run.id).toBe(second);
  for (const one of [job, check, moved]) await one?.plan(SAME);
  await setLimit(1000);
});

it("names what is wrong with a limit", async () => {
  for (const driftCheckLimit of [0, -1, 1001]) {
    const query = `mutation ($input: UpdateRunnerPoolInput!) { updateRunnerPool(input: $input) {
      ... on InvalidInputError { issues { path message } } } }`;
    const { updateRunnerPool } = await scene.api.ask(query, { input: { poolId: pool.id, driftCheckLimit } });
    expect(updateRunnerPool.issues).toEqual([
      { path: ["driftCheckLimit"], message: "must be from 1 to 1000, or null for no limit." },
    ]);
  }
});
