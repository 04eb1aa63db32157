import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Run } from "../../src/model/run/run.ts";
import type { Workspace } from "../../src/model/workspace/workspace.ts";
import {
  findNewestState,
  findStateLocks,
  insertStateVersion,
  releaseStateLock,
  type StateLockRow,
  type StoredState,
  takeStateLock,
} from "../../src/persistence/state/state-store.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

let stores: Stores;
let workspace: Workspace;
let run: Run;
let jobId: string;

beforeAll(async () => {
  stores = await openStores();
});

afterAll(() => stores[Symbol.asyncDispose]());

beforeEach(async () => {
  workspace = await stores.addWorkspace();
  run = await stores.addRun(workspace);
  jobId = await stores.addJob(run);
});

function lock(lockId: string): StateLockRow {
  return {
    workspaceId: workspace.id,
    lockId,
    info: { ID: lockId, Who: "me" },
    runId: run.id,
    jobId,
    actorId: null,
    since: AT,
  };
}

const take = (wanted: StateLockRow) => stores.database.transaction((tx) => takeStateLock(tx, wanted));
const release = (job?: string) => stores.database.transaction((tx) => releaseStateLock(tx, workspace.id, job));
const held = async () => (await findStateLocks(stores.database, [workspace.id]))[0];

test("the first lock stands, until it is released", async () => {
  expect(await held()).toBeNull();
  expect(await take(lock("one"))).toEqual(lock("one"));
  expect(await take(lock("two"))).toEqual(lock("one"));
  expect(await held()).toEqual(lock("one"));
  await release();
  expect(await held()).toBeNull();
  expect(await take(lock("two"))).toEqual(lock("two"));
});

test("of several connections that lock at once, all are told of the same one", async () => {
  const wanted = ["a", "b", "c", "d", "e", "f"];
  const told = await Promise.all(wanted.map((lockId) => take(lock(lockId))));
  expect(wanted).toContain(told[0]?.lockId);
  expect(new Set(told.map(({ lockId }) => lockId)).size).toBe(1);
  expect(await held()).toEqual(told[0]);
});

test("a lock and its release that cross leave the engine with an answer", async () => {
  await take(lock("first"));
  const crossing = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? take(lock(`${index}`)) : release()));
  const answers = (await Promise.all(crossing)).filter((answer) => answer !== undefined);
  expect(answers.length).toBe(10);
  for (const answer of answers) expect(answer.workspaceId).toBe(workspace.id);
});

test("a lock that is taken and rolled back leaves no trace", async () => {
  const broken = stores.database.transaction(async (tx) => {
    await takeStateLock(tx, lock("lost"));
    throw new Error("rolled back");
  });
  await expect(broken).rejects.toThrow("rolled back");
  expect(await held()).toBeNull();
});

test("a job releases its own lock and no other's", async () => {
  await take(lock("one"));
  await release(stores.newId("job"));
  expect(await held()).toEqual(lock("one"));
  await release(jobId);
  expect(await held()).toBeNull();
});

test("the newest state is the one with the highest serial, and a serial is used once", async () => {
  expect(await findNewestState(stores.database, workspace.id)).toBeNull();
  const add = async (serial: number): Promise<StoredState> => {
    const version: StoredState = {
      id: stores.newId("stateVersion"),
      workspaceId: workspace.id,
      serial,
      lineage: "l",
      runId: run.id,
      jobId,
      importedById: null,
      blobId: await stores.addBlob(workspace.id),
      outputs: [{ name: "secret", value: null, sensitive: true }],
      resourceCount: 0,
      createdAt: AT,
    };
    await stores.database.transaction((tx) => insertStateVersion(tx, version));
    return version;
  };
  const newest = await add(10);
  await add(9);
  expect(await findNewestState(stores.database, workspace.id)).toEqual(newest);
  await expect(add(10)).rejects.toMatchObject({ code: "23505" });
});
