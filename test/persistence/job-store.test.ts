import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LIMITS } from "../../src/model/kit/limits.ts";
import type { Run } from "../../src/model/run/run.ts";
import { openDatabase, violates } from "../../src/persistence/database/database.ts";
import {
  endLiveJob,
  findJob,
  findJobByClaim,
  findLiveJob,
  findNewestJob,
  holdLiveJob,
  listExpiredJobs,
  lockLiveJob,
  recordMessage,
  renewLease,
} from "../../src/persistence/dispatch/job-store.ts";
import { encodeLines } from "../../src/persistence/log/log-codec.ts";
import { readLogAfter } from "../../src/persistence/log/log-page-store.ts";
import { lastLogLine, logSize } from "../../src/persistence/log/log-store.ts";
import { appendNextLines, type NextLines } from "../../src/persistence/log/next-lines-store.ts";
import { lockRunMasks } from "../../src/persistence/run/run-mask-store.ts";
import { findRunners, runnersSeenAt, seeRunner, touchRunner } from "../../src/persistence/runner/runner-store.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";
import { RUNNER_SELF } from "../support/fake-runner.ts";

const LATER = "2026-01-02T04:00:00.000Z";
let stores: Stores;
let run: Run;

beforeAll(async () => {
  stores = await openStores();
});

afterAll(() => stores[Symbol.asyncDispose]());

beforeEach(async () => {
  run = await stores.addRun(await stores.addWorkspace());
});

const end = (runId = run.id) => stores.database.transaction((tx) => endLiveJob(tx, runId, AT));

test("a run has one live job; a new one follows only when that has ended", async () => {
  const first = await stores.addJob(run);
  const error: unknown = await stores.addJob(run).catch((refused: unknown) => refused);
  expect(violates(error, "job_live")).toBe(true);
  expect((await findLiveJob(stores.database, run.id))?.id).toBe(first);
  expect((await end())?.id).toBe(first);
  expect(await end()).toBeNull();
  const second = await stores.addJob(run);
  expect((await findLiveJob(stores.database, run.id))?.id).toBe(second);
});

test("the newest job of a run is the one that was claimed last, also by a server whose clock is slow", async () => {
  expect(await findNewestJob(stores.database, run.id)).toBeNull();
  await stores.addJob(run, AT, LATER);
  await end();
  const last = await stores.addJob(run, AT, AT);
  expect((await findNewestJob(stores.database, run.id))?.id).toBe(last);
});

test("of several that claim at once, one gets the run", async () => {
  const claims = await Promise.allSettled(Array.from({ length: 6 }, () => stores.addJob(run)));
  expect(claims.filter(({ status }) => status === "fulfilled").length).toBe(1);
  for (const claim of claims) {
    if (claim.status === "rejected") expect(violates(claim.reason, "job_live")).toBe(true);
  }
});

test("a job is found by its id and by its claim, with what was recorded about it", async () => {
  const id = await stores.addJob(run, LATER);
  const record = (sequence: number, digest: string) =>
    stores.database.transaction((tx) => recordMessage(tx, id, { sequence, digest }));
  expect(await record(2, "too early")).toBeNull();
  expect(await record(1, "d")).toMatchObject({ id, messageSequence: 0 });
  expect(await record(1, "again")).toBeNull();
  const job = await findJob(stores.database, id);
  expect(job).toMatchObject({
    id,
    claimId: `claim of ${id}`,
    runId: run.id,
    leg: "PLAN",
    attempt: 1,
    expiresAt: LATER,
    endedAt: null,
    messageSequence: 1,
    messageDigest: "d",
    archiveBlobId: null,
  });
  expect(await findJobByClaim(stores.database, `claim of ${id}`)).toEqual(job);
  expect(await findJobByClaim(stores.database, "nobody's")).toBeNull();
  expect(await findJob(stores.database, stores.newId("job"))).toBeNull();
});

test("a job that has ended is neither locked, nor held, nor renewed", async () => {
  const id = await stores.addJob(run);
  const lock = () => stores.database.transaction(async (tx) => (await lockLiveJob(tx, id))?.id);
  const hold = () => stores.database.transaction(async (tx) => (await holdLiveJob(tx, id))?.id);
  expect([await lock(), await hold(), await renewLease(stores.database, id, LATER)]).toEqual([id, id, true]);
  await end();
  expect([await lock(), await hold(), await renewLease(stores.database, id, LATER)]).toEqual([
    undefined,
    undefined,
    false,
  ]);
  expect((await findJob(stores.database, id))?.endedAt).toBe(AT);
});

/** A batch of one line. */
function nextLine(jobId: string, firstLine: number, text = "a"): NextLines {
  const lines = [{ at: AT, text }];
  return { jobId, phase: "PLAN", firstLine, lastLine: firstLine, bytes: 2, streams: 1, body: encodeLines(lines) };
}

const append = (...batches: NextLines[]) =>
  stores.database.statement((statement) => appendNextLines(statement, batches, AT));

/** A job whose run is planning. */
async function addPlanningJob(of: Run): Promise<string> {
  const jobId = await stores.addJob(of);
  await stores.addPhase(of.id, "PLAN");
  return jobId;
}

test("lines that meet the end of their job are not stored, and wait for nobody", async () => {
  const jobId = await addPlanningJob(run);
  expect(await append(nextLine(jobId, 1))).toEqual([true]);
  await stores.database.transaction(async (tx) => {
    await endLiveJob(tx, run.id, AT);
    expect(await append(nextLine(jobId, 2))).toEqual([false]);
  });
  expect(await append(nextLine(jobId, 2))).toEqual([false]);
  expect(await lastLogLine(stores.database, run.id)).toBe(1);
});

test("lines whose log somebody else is writing are left out, and those of others do not wait for them", async () => {
  const other = await stores.addRun(await stores.addWorkspace());
  const [jobId, otherId] = [await addPlanningJob(run), await addPlanningJob(other)];
  await stores.database.transaction(async (tx) => {
    await holdLiveJob(tx, jobId);
    await lockRunMasks(tx, run.id);
    expect(await append(nextLine(jobId, 1), nextLine(otherId, 1))).toEqual([false, true]);
  });
  expect(await append(nextLine(jobId, 1), nextLine(otherId, 2))).toEqual([true, true]);
});

test("lines of many jobs are stored together, and what is wrong with some is no matter to the others", async () => {
  const other = await stores.addRun(await stores.addWorkspace());
  const third = await stores.addRun(await stores.addWorkspace());
  const [jobId, otherId] = [await addPlanningJob(run), await addPlanningJob(other)];
  const early = await stores.addJob(third);
  const answer = await append(
    nextLine(otherId, 1, "other"),
    nextLine(jobId, 2, "gap"),
    nextLine(early, 1, "no phase"),
    { ...nextLine(jobId, 1, "full"), bytes: LIMITS.logPhaseBytes + 1 },
    nextLine(stores.newId("job"), 1, "nobody"),
    nextLine(jobId, 1, "one"),
  );
  expect(answer).toEqual([true, false, false, false, false, true]);
  expect(await append(nextLine(jobId, 2, "two"), nextLine(otherId, 1, "again"))).toEqual([true, false]);
  // The same lines twice: one of them.
  const twice = await append(nextLine(jobId, 3, "three"), nextLine(jobId, 3, "three"));
  expect(twice.filter(Boolean)).toHaveLength(1);
  const texts = async (of: Run) => (await readLogAfter(stores.database, of.id, 0, 1000)).map(({ text }) => text);
  expect(await texts(run)).toEqual(["one", "two", "three"]);
  expect(await texts(other)).toEqual(["other"]);
  expect(await logSize(stores.database, run.id)).toMatchObject({ lastLine: 3, bytes: 6 });
});

test("lines that fill the log of their phase, or of their run, to the last byte are stored, and none after them", async () => {
  const jobId = await addPlanningJob(run);
  const used = (bytes: number, phaseBytes: number) =>
    stores.database.sql
      .updateTable("log_head")
      .set({ bytes, phase_bytes: JSON.stringify({ "PLAN:1": phaseBytes }) })
      .where("run_id", "=", run.id)
      .execute();
  await used(0, LIMITS.logPhaseBytes - 2);
  expect(await append(nextLine(jobId, 1))).toEqual([true]);
  await used(0, LIMITS.logPhaseBytes - 1);
  expect(await append(nextLine(jobId, 2))).toEqual([false]);
  await used(LIMITS.logRunBytes - 2, 0);
  expect(await append(nextLine(jobId, 2))).toEqual([true]);
  await used(LIMITS.logRunBytes - 1, 0);
  expect(await append(nextLine(jobId, 3))).toEqual([false]);
});

test("listeners of a log are notified of lines that were stored, and of no others", async () => {
  const other = await stores.addRun(await stores.addWorkspace());
  const [jobId, otherId] = [await addPlanningJob(run), await addPlanningJob(other)];
  const topics: string[] = [];
  const notifier = {
    send: (sent: Iterable<string>) => void topics.push(...sent),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  await using database = openDatabase(stores.connection, { notifier, onError: (error) => expect.fail(error.message) });
  await database.statement((statement) => appendNextLines(statement, [nextLine(jobId, 1), nextLine(otherId, 2)], AT));
  expect(topics).toEqual([`log:${run.id}`]);
  const both = [nextLine(otherId, 1), nextLine(jobId, 2)];
  await database.statement((statement) => appendNextLines(statement, both, AT));
  expect(topics.slice(1).toSorted()).toEqual([`log:${run.id}`, `log:${other.id}`].toSorted());
});

test("a lease has run out after its instant, and not once its job has ended", async () => {
  const id = await stores.addJob(run, AT);
  const expired = async (at: string) => (await listExpiredJobs(stores.database, at)).map((job) => job.id);
  expect(await expired(AT)).not.toContain(id);
  expect(await expired("2026-01-02T03:04:05.679Z")).toContain(id);
  // Its own 30 seconds from then on.
  await renewLease(stores.database, id, LATER);
  expect(await expired("2026-01-02T04:00:30.000Z")).not.toContain(id);
  expect(await expired("2026-01-02T04:00:30.001Z")).toContain(id);
  await end();
  expect(await expired("2026-01-02T04:00:30.001Z")).not.toContain(id);
});

test("a runner keeps its id under its name, and is seen when it asks", async () => {
  const [id, other] = [stores.newId("runner"), stores.newId("runner")];
  const see = (runnerId: string, at: string) =>
    seeRunner(stores.database, { ...RUNNER_SELF, id: runnerId, name: "box", at });
  expect(await see(id, AT)).toMatchObject({ id, former: null, pool: null });
  expect(await see(other, LATER)).toMatchObject({ id, former: { lastSeenAt: AT, draining: false, labels: [] } });
  expect(await runnersSeenAt(stores.database)).toBe(LATER);
  await touchRunner(stores.database, id, "2026-01-02T05:00:00.000Z");
  expect(await runnersSeenAt(stores.database)).toBe("2026-01-02T05:00:00.000Z");
  const at = new Date("2026-01-02T05:01:00.000Z");
  const box = { id, name: "box", poolId: null, state: "IDLE", slots: 1, labels: [], engine: null };
  expect(await findRunners(stores.database, [other, id], at)).toMatchObject([null, box]);
});
