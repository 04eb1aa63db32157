import { expect, test } from "vitest";
import { type RunnerActivity, runnerState } from "../../../src/model/runner/runner-state.ts";

const AT = new Date("2026-01-02T03:04:05.678Z");
const SOME_TIME = "2026-01-01T00:00:00.000Z";
const IDLE: RunnerActivity = {
  lastSeenAt: AT.toISOString(),
  lostAt: null,
  draining: false,
  drainRequestedAt: null,
  instance: "1",
  cycleInstance: null,
  revokedAt: null,
  jobCount: 0,
};

test.each<[string, Partial<RunnerActivity>]>([
  ["IDLE", {}],
  ["IDLE", { lastSeenAt: "2026-01-02T03:03:05.678Z" }],
  ["OFFLINE", { lastSeenAt: "2026-01-02T03:03:05.677Z" }],
  ["OFFLINE", { lastSeenAt: SOME_TIME, jobCount: 1, draining: true }],
  ["OFFLINE", { revokedAt: SOME_TIME }],
  ["OFFLINE", { lastSeenAt: "2026-01-02T03:04:00.000Z", lostAt: "2026-01-02T03:04:00.001Z" }],
  ["OFFLINE", { lastSeenAt: "2026-01-02T03:04:00.000Z", lostAt: AT.toISOString(), draining: true }],
  // It was heard from again, or works on something else.
  ["IDLE", { lastSeenAt: "2026-01-02T03:04:00.000Z", lostAt: "2026-01-02T03:04:00.000Z" }],
  ["BUSY", { lastSeenAt: "2026-01-02T03:04:00.000Z", lostAt: AT.toISOString(), jobCount: 1 }],
  ["BUSY", { jobCount: 1 }],
  ["DRAINING", { draining: true }],
  ["DRAINING", { drainRequestedAt: SOME_TIME, jobCount: 1 }],
  ["DRAINING", { instance: "1", cycleInstance: "1", jobCount: 1 }],
  // Another process has taken its place.
  ["BUSY", { instance: "2", cycleInstance: "1", jobCount: 1 }],
])("%s: %j", (state, facts) => {
  expect(runnerState({ ...IDLE, ...facts }, AT)).toBe(state);
});
