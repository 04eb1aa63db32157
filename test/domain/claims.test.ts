/**
 * A claim beside runs that cannot be claimed, a workspace that is locked at the moment, the same claim sent again, and a
 * database that is away.
 */
import { randomUUID } from "node:crypto";
import { CompiledQuery } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimJob, type ClaimOutcome } from "../../src/domain/job/claim-job.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import type { Database } from "../../src/persistence/database/database.ts";
import { lockWorkspaceRow } from "../../src/persistence/workspace/workspace-store.ts";
import { waitUntil } from "../support/eventually.ts";
import { RUNNER_SELF } from "../support/fake-runner.ts";
import { addPool } from "../support/fleet.ts";
import { overlapping, waitersIn } from "../support/overlapping.ts";
import { openScene, type Scene, type Spot } from "./scene.ts";

let scene: Scene;
/** What claims reported beside their result. */
let reported: string[];
beforeEach(async () => {
  scene = await openScene();
  reported = [];
});
afterEach(() => scene[Symbol.asyncDispose]());

function claim(more: Partial<Deps> = {}, claimId: string = randomUUID()): Promise<ClaimOutcome> {
  const reportError = (_error: unknown, context: string) => void reported.push(context);
  const engine = { name: "terraform", version: "1.11.4" };
  const report = { claimId, runner: RUNNER_SELF, engine };
  return claimJob({ ...scene.server.deps, reportError, ...more }, { type: "runner", poolId: null }, report);
}

/** The database of the scene, with another way to begin a transaction. */
function databaseThat(transaction: Database["transaction"]): Database {
  return { ...scene.server.deps.database, transaction };
}

const runOf = (outcome: ClaimOutcome) => ("job" in outcome ? outcome.job.run.id : null);

/** A run that waits for a runner, in a workspace that cannot be read any more. */
async function broken(): Promise<Spot> {
  const spot = await scene.reach("CONFIRMED");
  const windows = JSON.stringify([{ name: "x", cron: "x", durationMs: 1, timeZone: "UTC" }]);
  await scene.rows("update workspace set freeze_windows = $2 where id = $1", spot.workspaceId, windows);
  return spot;
}

describe("a run whose claim fails", () => {
  it("is reported and skipped: the runner gets the next one, and is idle without one", async () => {
    const first = await broken();
    const { runId } = await scene.reach("READY");
    expect(runOf(await claim())).toBe(runId);
    expect(reported.splice(0)).toEqual([`claiming ${first.runId}`]);
    expect(await claim()).toMatchObject({ idle: { instance: RUNNER_SELF.instance } });
    expect(reported).toEqual([`claiming ${first.runId}`]);
    expect(await scene.rows("select status from run where id = $1", first.runId)).toEqual([{ status: "CONFIRMED" }]);
  });

  it("is one of five at most: then the claim fails, and no runner looks through all", async () => {
    const runs: string[] = [];
    for (let count = 0; count < 6; count += 1) runs.push((await broken()).runId);
    await expect(claim()).rejects.toThrow();
    expect(reported).toEqual(runs.slice(0, 5).map((runId) => `claiming ${runId}`));
  });
});

it.each([
  ["the database is away", Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })],
  ["no run was found yet", new Error("canceling statement due to statement timeout")],
])("a claim fails with its transaction where %s, and accuses no run", async (_, error) => {
  await scene.reach("READY");
  const broken = databaseThat(() => Promise.reject(error));
  await expect(claim({ database: broken })).rejects.toBe(error);
  expect(reported).toEqual([]);
});

it("a claim waits for a workspace that is locked, and lets the others have the row of its run meanwhile", async () => {
  const { runId, workspaceId } = await scene.reach("READY");
  const { database } = scene.server.deps;
  let waiting: Promise<ClaimOutcome> | undefined;
  await database.transaction(async (tx) => {
    await lockWorkspaceRow(tx, workspaceId);
    waiting = claim();
    await waitUntil(async () => (await waitersIn(database)) > 0);
    const { rows } = await database.transaction((other) =>
      other.sql.executeQuery(CompiledQuery.raw("select run_id from dispatch for update nowait")),
    );
    expect(rows).toEqual([{ run_id: runId }]);
  });
  expect(waiting && runOf(await waiting)).toBe(runId);
  expect(reported).toEqual([]);
});

it("a claim that is sent twice at once gets one job: the other run stays offered, and nothing is reported", async () => {
  const first = await scene.reach("READY");
  const second = await scene.reach("READY");
  const { deps } = scene.server;
  const claimId = randomUUID();
  // The repeated request has found work, and begins its transaction when the other one has its job.
  const [ready, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held = databaseThat(async (work, rights) => {
    ready.resolve();
    await released.promise;
    return deps.database.transaction(work, rights);
  });
  const repeated = claim({ database: held }, claimId);
  await ready.promise;
  const outcomes: ClaimOutcome[] = [];
  const answer = await overlapping(
    deps,
    async ({ database }) => void outcomes.push(await claim({ database }, claimId)),
    () => {
      released.resolve();
      return repeated;
    },
  );
  expect(outcomes.map(runOf)).toEqual([first.runId]);
  expect(answer).toEqual({ status: "fulfilled", value: outcomes[0] });
  expect(reported).toEqual([]);
  expect(await scene.rows("select run_id, offered from dispatch")).toEqual([{ run_id: second.runId, offered: true }]);
});

describe("a claim takes no lock", () => {
  const unlocked = () => databaseThat(() => Promise.reject(new Error("A transaction was begun.")));

  it("where it is sent again, also while another run is offered", async () => {
    const { runId } = await scene.reach("READY");
    await scene.reach("READY");
    const claimId = randomUUID();
    const outcome = await claim({}, claimId);
    expect(runOf(outcome)).toBe(runId);
    expect(await claim({ database: unlocked() }, claimId)).toEqual(outcome);
  });

  it("where no run is offered", async () => {
    // The first claim of a runner may change which runs have a runner.
    expect(runOf(await claim())).toBeNull();
    expect(await claim({ database: unlocked() })).toMatchObject({ idle: { instance: RUNNER_SELF.instance } });
  });

  it("where only runs for other runners are offered", async () => {
    const pool = await addPool(scene.server, "pool");
    // Its runner is online, so its run has a slot.
    expect(await pool.claim()).toBeNull();
    const { runId } = await scene.reach("READY", "DEPLOY", { runnerPoolId: pool.id });
    expect(await scene.rows("select run_id, offered from dispatch")).toEqual([{ run_id: runId, offered: true }]);
    expect(runOf(await claim())).toBeNull();
    expect(await claim({ database: unlocked() })).toMatchObject({ idle: { instance: RUNNER_SELF.instance } });
  });
});
