/** The loop of a prober of health: its leases, its reports and its end, by timers that the test moves. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HEALTH_LIMITS } from "../../src/model/health/health-limits.ts";
import type { HealthReport, LeaseRequest, ProberDesk } from "../../src/model/health/prober-desk.ts";
import { startHealthProbing } from "../../src/probing/start-health-probing.ts";
import { leasedOf } from "../support/prober-rig.ts";

const { heartbeatMs, changePauseMs, tickMs } = HEALTH_LIMITS;
const INTERVAL_MS = 600_000;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"],
    now: Date.parse("2026-03-20T12:00:00.000Z"),
  });
});
afterEach(() => void vi.useRealTimers());

/** A prober of some targets that answer well, and a desk that may fail. */
function start(targets: number) {
  const leases: { atMs: number; request: LeaseRequest }[] = [];
  const reports: { atMs: number; report: HealthReport }[] = [];
  const left: string[] = [];
  const errors: unknown[] = [];
  const made = {
    leaseError: null as Error | null,
    reportError: null as Error | null,
    heldLease: null as Promise<never> | null,
  };
  const beganMs = performance.now();
  const at = (): string => new Date().toISOString();
  const desk: ProberDesk = {
    lease(request) {
      leases.push({ atMs: performance.now() - beganMs, request });
      if (made.leaseError !== null) return Promise.reject(made.leaseError);
      if (made.heldLease !== null) return made.heldLease;
      const leased = Array.from({ length: targets }, (_none, id) => leasedOf(id, { intervalMs: INTERVAL_MS }));
      const shards = [{ shard: 1, fence: 1, version: 1, targets: request.shards.length > 0 ? null : leased }];
      return Promise.resolve({ at: at(), leaseMs: HEALTH_LIMITS.leaseMs, shards, held: [] });
    },
    report(report) {
      reports.push({ atMs: performance.now() - beganMs, report });
      if (made.reportError !== null) return Promise.reject(made.reportError);
      return Promise.resolve({ at: at(), refused: [], refusedBuckets: 0 });
    },
    leave(proberId) {
      left.push(proberId);
      return Promise.resolve();
    },
  };
  const probing = startHealthProbing({
    desk,
    prober: { probe: () => Promise.resolve({ ok: true, latencyMs: 5, failure: null, reason: null }) },
    proberId: "p",
    perSecond: 7,
    onError: (error) => void errors.push(error),
  });
  return { made, leases, reports, left, errors, end: () => probing[Symbol.asyncDispose]() };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("renews its lease with each heartbeat, with what it knows", async () => {
  const { leases, reports, errors, end } = start(0);
  await pass(2 * heartbeatMs);
  expect(leases.map(({ atMs }) => atMs)).toEqual([0, heartbeatMs, 2 * heartbeatMs]);
  expect(leases.map(({ request }) => [request.proberId, request.perSecond, request.shards.length])).toEqual([
    ["p", 7, 0],
    ["p", 7, 1],
    ["p", 7, 1],
  ]);
  expect([reports, errors]).toEqual([[], []]);
  await end();
});

test("reports changes at once, and those of a moment together", async () => {
  const { reports, end } = start(3);
  await pass(tickMs + changePauseMs - 1);
  expect(reports).toEqual([]);
  await pass(2);
  expect(reports.map(({ report }) => report.changes.map(({ targetId }) => targetId))).toEqual([[0, 1, 2]]);
  // The next sample that confirms the first: it is another change.
  await pass(HEALTH_LIMITS.quickMs + changePauseMs + tickMs);
  expect(reports).toHaveLength(2);
  await end();
});

test("reports what changed in the last moment before a heartbeat with it", async () => {
  const { leases, reports, end } = start(1);
  // Quick samples come every five seconds, as the heartbeats do: some of them just before one.
  await pass(3 * heartbeatMs + 10 * tickMs);
  expect(leases.length).toBeGreaterThanOrEqual(3);
  expect(leases.every(({ atMs }, index) => atMs === index * heartbeatMs)).toBe(true);
  expect(reports.flatMap(({ report }) => report.changes).at(-1)?.state).toMatchObject({ standing: "UP", samples: 3 });
  await end();
});

test("reports a bucket that has closed with a heartbeat, although nothing has changed", async () => {
  const { reports, end } = start(1);
  await pass(3 * heartbeatMs);
  const { length } = reports;
  await pass(HEALTH_LIMITS.bucketMs);
  const later = reports.slice(length);
  expect(later.map(({ report }) => [report.changes.length, report.buckets.length])).toEqual([[0, 1]]);
  expect(later.map(({ atMs }) => atMs % heartbeatMs)).toEqual([0]);
  await end();
});

test("goes on after a lease or a report that fails, and says so", async () => {
  const { made, leases, reports, errors, end } = start(1);
  made.reportError = new Error("no report");
  await pass(tickMs + changePauseMs + 1);
  expect([reports.length, errors]).toEqual([1, [made.reportError]]);
  made.reportError = null;
  made.leaseError = new Error("no lease");
  await pass(heartbeatMs);
  expect(leases).toHaveLength(2);
  expect(errors.slice(1)).toEqual([made.leaseError]);
  // What was not taken is in the report of the heartbeat.
  expect(reports.at(-1)?.report.changes).toMatchObject([{ targetId: 0 }]);
  await end();
});

test("ends at once: with its buckets, without its leases, its timers and errors", async () => {
  const { made, leases, reports, left, errors, end } = start(1);
  await pass(1000);
  const { length } = reports;
  made.leaseError = new Error("no lease");
  await end();
  expect(reports.slice(length).flatMap(({ report }) => report.buckets)).toMatchObject([{ targetId: 0 }]);
  expect(left).toEqual(["p"]);
  expect(vi.getTimerCount()).toBe(0);
  await pass(2 * heartbeatMs);
  expect([leases.length, errors]).toEqual([1, []]);
});

test("does not report an error that its end has caused", async () => {
  const { made, leases, errors, end } = start(0);
  const held = Promise.withResolvers<never>();
  made.heldLease = held.promise;
  await pass(heartbeatMs);
  expect(leases).toHaveLength(2);
  const ended = end();
  held.reject(new Error("The connection is closed."));
  await ended;
  expect(errors).toEqual([]);
});
