import { afterEach, beforeEach, expect, it } from "vitest";
import { createLeaseRound } from "../../src/domain/rounds/lease-round.ts";
import type { Database } from "../../src/persistence/database/database.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { DEFAULT_RUN_LIMITS } from "../../src/model/approval/run-rules.ts";
import { startRun } from "../support/change-source.ts";
import type { FakeJob } from "../support/fake-runner.ts";
import { type InProcess, startInProcess } from "../support/in-process.ts";

let server: InProcess;
let job: FakeJob;
let round: () => Promise<void>;
/** Whether the reaper's database answers; that of everybody else always does. */
let away: boolean;
beforeEach(async () => {
  // The tests alone move the time.
  server = await startInProcess({ standing: true });
  away = false;
  const database: Database = {
    get sql() {
      if (away) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      return server.deps.database.sql;
    },
    transaction: (work) => server.deps.database.transaction(work),
    statement: (work) => server.deps.database.statement(work),
    isFull: () => server.deps.database.isFull(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  ({ job } = await startRun(server));
  round = createLeaseRound({ ...server.deps, database });
});
afterEach(() => server[Symbol.asyncDispose]());

const isLive = async (): Promise<boolean> => (await job.log("PREPARE", "a line")).status === 200;

/** Rounds for so long, as often as they come; failures are the loop's to report. */
async function rounds(forMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += LIMITS.reaperMs) {
    server.advance(LIMITS.reaperMs);
    await round().catch(() => undefined);
  }
}

/** Rounds, and a runner that is heard. */
async function wellFor(forMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += LIMITS.heartbeatMs) {
    await rounds(LIMITS.heartbeatMs);
    expect((await job.heartbeat()).status).toBe(200);
  }
}

it("ends a lease once it has run out, but not before the server was up for one", async () => {
  server.advance(10 * DEFAULT_RUN_LIMITS.leaseMs);
  await round();
  expect(await isLive()).toBe(true);
  await rounds(DEFAULT_RUN_LIMITS.leaseMs - LIMITS.reaperMs);
  expect(await isLive()).toBe(true);
  await rounds(2 * LIMITS.reaperMs);
  expect(await isLive()).toBe(false);
});

it("gives runners a whole lease after a database that was away for longer than theirs", async () => {
  await wellFor(2 * DEFAULT_RUN_LIMITS.leaseMs);
  away = true;
  await rounds(2 * DEFAULT_RUN_LIMITS.leaseMs);
  away = false;
  await rounds(DEFAULT_RUN_LIMITS.leaseMs - LIMITS.reaperMs);
  expect(await isLive(), "it could not be heard").toBe(true);
  await job.heartbeat();
  await rounds(DEFAULT_RUN_LIMITS.leaseMs - LIMITS.reaperMs);
  expect(await isLive()).toBe(true);
  await rounds(3 * LIMITS.reaperMs);
  expect(await isLive(), "it was not heard").toBe(false);
});

it("the same after a machine that was suspended", async () => {
  await wellFor(2 * DEFAULT_RUN_LIMITS.leaseMs);
  server.advance(DEFAULT_RUN_LIMITS.leaseMs * 100);
  await round();
  expect(await isLive()).toBe(true);
  await rounds(DEFAULT_RUN_LIMITS.leaseMs + 2 * LIMITS.reaperMs);
  expect(await isLive()).toBe(false);
});

it("a clock that is put back keeps no lease from running out", async () => {
  await wellFor(DEFAULT_RUN_LIMITS.leaseMs);
  server.advance(24 * 3_600_000);
  await round();
  server.advance(-24 * 3_600_000);
  await rounds(DEFAULT_RUN_LIMITS.leaseMs + 2 * LIMITS.reaperMs);
  expect(await isLive()).toBe(false);
});

it("a short outage changes nothing", async () => {
  await wellFor(2 * DEFAULT_RUN_LIMITS.leaseMs);
  away = true;
  await rounds(LIMITS.heartbeatMs - 2 * LIMITS.reaperMs);
  away = false;
  await rounds(DEFAULT_RUN_LIMITS.leaseMs - LIMITS.heartbeatMs);
  expect(await isLive()).toBe(true);
  await rounds(4 * LIMITS.reaperMs);
  expect(await isLive()).toBe(false);
});

/** As if its organization had set it before the claim. */
async function setLease(leaseMs: number): Promise<void> {
  await server.deps.database.sql.updateTable("job").set({ lease_ms: leaseMs }).execute();
  await job.heartbeat();
}

it("a short lease is ended as soon as the server was up for as long as that", async () => {
  const leaseMs = 3 * LIMITS.reaperMs;
  await setLease(leaseMs);
  await rounds(leaseMs - LIMITS.reaperMs);
  expect(await isLive()).toBe(true);
  await rounds(2 * LIMITS.reaperMs);
  expect(await isLive()).toBe(false);
});

it("a long lease is not ended before", async () => {
  const leaseMs = 2 * DEFAULT_RUN_LIMITS.leaseMs;
  await setLease(leaseMs);
  away = true;
  await rounds(2 * leaseMs);
  away = false;
  await rounds(leaseMs - LIMITS.reaperMs);
  expect(await isLive(), "it could not be heard").toBe(true);
  await rounds(3 * LIMITS.reaperMs);
  expect(await isLive(), "it was not heard").toBe(false);
});
