import { describe, expect, it, test } from "vitest";
import { EMPTY_RULES, type RunLimits } from "../../../src/model/approval/run-rules.ts";
import {
  changedLimits,
  effectiveLimits,
  RUN_DURATIONS,
  WAIT_DURATIONS,
  type WrittenRunLimits,
  writtenLimits,
} from "../../../src/model/workspace/run-limits.ts";

const LIMITS: RunLimits = {
  leaseMs: 60_000,
  forceStopAfterMs: 0,
  planMs: 3_600_000,
  applyMs: 7_200_000,
  silenceMs: 600_000,
  planApprovalMs: 86_400_000,
  applyApprovalMs: null,
  queueMs: 10_000,
  attemptsPerLeg: 3,
  approvalTimeoutAction: "ESCALATE",
};
const WRITTEN: WrittenRunLimits = {
  leaseSeconds: 60,
  forceStopAfterSeconds: 0,
  planSeconds: 3600,
  applySeconds: 7200,
  silenceSeconds: 600,
  planApprovalSeconds: 86_400,
  applyApprovalSeconds: 0,
  queueSeconds: 10,
  attemptsPerLeg: 3,
  approvalTimeoutAction: "ESCALATE",
};

test("limits are written in seconds, and none as 0", () => {
  expect(writtenLimits(LIMITS)).toEqual(WRITTEN);
});

test("only limits that were set are written", () => {
  expect(Object.keys(writtenLimits({}))).toEqual([]);
  expect(writtenLimits({ planMs: 20_000 })).toEqual({ planSeconds: 20 });
  expect(Object.keys(writtenLimits({ queueMs: null }))).toEqual(["queueSeconds"]);
});

describe("a change of limits", () => {
  it("sets what is given, 0 of a wait being none", () => {
    expect(changedLimits({}, WRITTEN)).toEqual(LIMITS);
  });

  it("keeps what is absent, and leaves what it was given as it is", () => {
    const before = { ...LIMITS };
    expect(changedLimits(before, {})).toEqual(LIMITS);
    expect(changedLimits(before, { planSeconds: 30 })).toEqual({ ...LIMITS, planMs: 30_000 });
    expect(before).toEqual(LIMITS);
  });

  it("removes what is null", () => {
    const none = Object.fromEntries(Object.keys(WRITTEN).map((field) => [field, null]));
    expect(Object.keys(changedLimits(LIMITS, none))).toEqual([]);
  });
});

test("the limits of a workspace go before those of its organization, and those before the defaults", () => {
  const organization = { ...EMPTY_RULES, limits: { planMs: 20_000, applyMs: 30_000 } };
  const workspace = { ...EMPTY_RULES, limits: { planMs: 40_000 } };
  const held = effectiveLimits(organization, workspace);
  expect(held).toMatchObject({ planSeconds: 40, applySeconds: 30 });
  expect(effectiveLimits(organization)).toEqual({ ...held, planSeconds: 20 });
  expect(Object.keys(held).toSorted()).toEqual(Object.keys(WRITTEN).toSorted());
});

test("a limit that the defaults have lies within its bounds", () => {
  const defaults = effectiveLimits(EMPTY_RULES);
  for (const { field, least, most } of [...RUN_DURATIONS, ...WAIT_DURATIONS]) {
    expect(least, field).toBeLessThan(most);
    if (defaults[field] === 0) continue;
    expect(defaults[field], field).toBeGreaterThanOrEqual(least);
    expect(defaults[field], field).toBeLessThanOrEqual(most);
  }
});
