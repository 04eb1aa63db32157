import { describe, expect, test } from "vitest";
import {
  dispatchClass,
  obstaclesOf,
  obstacleKindsOf,
  shortageOf,
  type AdmissionConditions,
} from "../../../src/model/admission/eligibility.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { CLAIMABLE_STATUSES, RUN_STATUSES } from "../../../src/model/lifecycle/run-status.ts";

const AT = "2026-01-02T03:04:05.000Z";
const EARLIER = "2026-01-02T03:04:04.999Z";
const LATER = "2026-01-02T03:04:05.001Z";
const NOTHING: AdmissionConditions = { at: AT, paused: false, lock: null, lockRunId: null, frozenUntil: null };
const EVERYTHING: AdmissionConditions = { at: AT, paused: true, lock: "MANUAL", lockRunId: null, frozenUntil: LATER };
const QUEUED = { kind: "DEPLOY", status: "QUEUED", scheduledAt: null, applyAt: null } as const;

describe("obstacles", () => {
  test.each(RUN_STATUSES.filter((status) => status !== "QUEUED" && !CLAIMABLE_STATUSES.includes(status)))(
    "are in nobody's way in %s",
    (status) => {
      expect(obstacleKindsOf({ ...QUEUED, status }, EVERYTHING)).toEqual([]);
    },
  );

  test("a time is one until it has come: of a queued run its own, of an approved one that of its apply", () => {
    const times = [null, EARLIER, AT, LATER];
    const of = (status: "QUEUED" | "READY" | "CONFIRMED", name: "scheduledAt" | "applyAt") =>
      times.map((time) => obstacleKindsOf({ ...QUEUED, status, [name]: time }, NOTHING).length);
    expect(of("QUEUED", "scheduledAt")).toEqual([0, 0, 0, 1]);
    expect(of("CONFIRMED", "applyAt")).toEqual([0, 0, 0, 1]);
    expect([of("QUEUED", "applyAt"), of("CONFIRMED", "scheduledAt")].flat()).not.toContain(1);
    expect([of("READY", "applyAt"), of("READY", "scheduledAt")].flat()).not.toContain(1);
  });

  test("an UNLOCK passes the lock of an interrupted apply, and no other", () => {
    const unlock = { ...QUEUED, kind: "UNLOCK" } as const;
    expect(obstacleKindsOf(unlock, { ...NOTHING, lock: "APPLY_INTERRUPTED" })).toEqual([]);
    expect(obstacleKindsOf(unlock, { ...NOTHING, lock: "MANUAL" })).toEqual(["WORKSPACE_LOCKED"]);
    expect(obstacleKindsOf(QUEUED, { ...NOTHING, lock: "APPLY_INTERRUPTED" })).toEqual(["WORKSPACE_LOCKED"]);
  });

  test("name the run of an interrupted apply with its lock alone, and the run that comes before", () => {
    const conditions = { ...EVERYTHING, lock: "APPLY_INTERRUPTED", lockRunId: "run_1" } as const;
    expect(obstaclesOf(QUEUED, conditions, "run_2")).toEqual([
      { kind: "WORKSPACE_PAUSED", runId: null },
      { kind: "WORKSPACE_LOCKED", runId: "run_1" },
      { kind: "WORKSPACE_BUSY", runId: "run_2" },
    ]);
    expect(obstaclesOf(QUEUED, { ...NOTHING, lock: "MANUAL" }, null)).toEqual([
      { kind: "WORKSPACE_LOCKED", runId: null },
    ]);
    expect(obstaclesOf({ ...QUEUED, kind: "PLAN" }, NOTHING, "run_2")).toEqual([]);
  });
});

test("a run lacks a runner first, then a place, and a runner again that has not come within a round", () => {
  const since = (ms: number): string => new Date(Date.parse(AT) - ms).toISOString();
  const place = { offered: true, reachable: true, since: since(LIMITS.schedulerMs) };
  expect(shortageOf(place, AT, true)).toBeNull();
  expect(shortageOf(place, AT, false)).toBe("NO_RUNNER");
  expect(shortageOf({ ...place, since: since(LIMITS.schedulerMs + 1) }, AT, true)).toBe("NO_RUNNER");
  expect(shortageOf({ ...place, offered: false }, AT, true)).toBe("ORGANIZATION_LIMIT");
  expect(shortageOf({ ...place, offered: false, limited: true }, AT, true)).toBe("DRIFT_LIMIT");
  expect(shortageOf({ ...place, offered: false, limited: true, reachable: false }, AT, true)).toBe("NO_RUNNER");
  expect(shortageOf({ ...place, reachable: false }, AT, true)).toBe("NO_RUNNER");
  expect(shortageOf({ ...place, offered: false, reachable: false }, AT, true)).toBe("NO_RUNNER");
});

test("applies are claimed before plans, those before speculative plans, and checks for drift come last", () => {
  const trigger = "MANUAL";
  const legs = ["PLAN", "REPLAN", "APPLY", "DESTROY", "TASK"] as const;
  const classes = legs.map((leg) => dispatchClass({ kind: "DEPLOY", leg, trigger, status: "READY" }));
  expect(classes).toEqual([1, 1, 0, 0, 0]);
  const plan = { kind: "PLAN", leg: "PLAN", status: "READY" } as const;
  expect(dispatchClass({ ...plan, trigger })).toBe(2);
  expect(dispatchClass({ ...plan, trigger: "DRIFT" })).toBe(3);
  expect(dispatchClass({ ...plan, kind: "DEPLOY", trigger: "DRIFT" })).toBe(1);
});
