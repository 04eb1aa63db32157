import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Run } from "../../src/model/run.ts";
import { violates } from "../../src/persistence/database.ts";
import {
  endLiveJob,
  findJob,
  findJobByClaim,
  findLiveJob,
  holdLiveJob,
  listExpiredJobs,
  lockLiveJob,
  recordMessage,
  renewLease,
} from "../../src/persistence/job-store.ts";
import { lastLogLine } from "../../src/persistence/log-store.ts";
import { appendNextLines } from "../../src/persistence/next-lines-store.ts";
import { startPhase } from "../../src/persistence/phase-store.ts";
import { findRunners, runnersSeenAt, seeRunner, touchRunner } from "../../src/persistence/runner-store.ts";
import { AT, openStores, type Stores } from "../support/store-fixtures.ts";

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

test("of several that claim at once, one gets the run", async () => {
  const claims = await Promise.allSettled(Array.from({ length: 6 }, () => stores.addJob(run)));
  expect(claims.filter(({ status }) => status === "fulfilled").length).toBe(1);
  for (const claim of claims) {
    if (claim.status === "rejected") expect(violates(claim.reason, "job_live")).toBe(true);
  }
});

test("a job is found by its id and by its claim, with what was recorded about it", async () => {
  const id = await stores.addJob(run, LATER);
  await stores.database.transaction((tx) => recordMessage(tx, id, { sequence: 4, digest: "d" }));
  const job = await findJob(stores.database, id);
  expect(job).toMatchObject({
    id,
    claimId: `claim of ${id}`,
    runId: run.id,
    leg: "PLAN",
    attempt: 1,
    expiresAt: LATER,
    endedAt: null,
    messageSequence: 4,
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

test("lines that meet the end of their job wait for it, and are not stored", async () => {
  const jobId = await stores.addJob(run);
  const phase = { id: stores.newId("phase"), runId: run.id, kind: "PLAN", runnerId: null, at: AT } as const;
  await stores.database.transaction((tx) => startPhase(tx, phase));
  const send = (firstLine: number) =>
    stores.database.statement((statement) =>
      appendNextLines(statement, {
        jobId,
        runId: run.id,
        phase: "PLAN",
        firstLine,
        lines: [{ at: AT, text: "a" }],
        at: AT,
      }),
    );
  expect(await send(1)).toBe(true);
  const late = await stores.database.transaction(async (tx) => {
    await endLiveJob(tx, run.id, AT);
    const sent = send(2);
    await untilBlocked();
    return { sent };
  });
  expect(await late.sent).toBe(false);
  expect(await lastLogLine(stores.database, run.id)).toBe(1);
});

/** Somebody waits for a lock. */
async function untilBlocked(): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await waiting.execute(stores.database.sql)).rows.length === 0) await setImmediate();
}

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
    seeRunner(stores.database, { id: runnerId, name: "box", version: "1", at });
  expect(await see(id, AT)).toMatchObject({ id, former: null, pool: null });
  expect(await see(other, LATER)).toMatchObject({ id, former: { lastSeenAt: AT, draining: false, labels: [] } });
  expect(await runnersSeenAt(stores.database)).toBe(LATER);
  await touchRunner(stores.database, id, "2026-01-02T05:00:00.000Z");
  expect(await runnersSeenAt(stores.database)).toBe("2026-01-02T05:00:00.000Z");
  const at = new Date("2026-01-02T05:01:00.000Z");
  const box = { id, name: "box", poolId: null, state: "IDLE", slots: 1, labels: [], engine: null };
  expect(await findRunners(stores.database, [other, id], at)).toMatchObject([null, box]);
});
