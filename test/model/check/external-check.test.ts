import { describe, expect, test } from "vitest";
import {
  CHECK_STAGES,
  CHECK_STATUSES,
  COST_STAGES,
  type CheckStage,
  type CheckStatus,
  exceededText,
  failureLevel,
  isAnswered,
  isAtStage,
  isOpen,
  limitOf,
  totalLimitOf,
} from "../../../src/model/check/external-check.ts";
import { RUN_STATUSES, type RunStatus } from "../../../src/model/lifecycle/run-status.ts";
import type { EnforcementLevel, PolicyErrorMode } from "../../../src/model/policy/policy-set.ts";

const statusesWhere = (holds: (result: { status: CheckStatus }) => boolean): CheckStatus[] =>
  CHECK_STATUSES.filter((status) => holds({ status }));

test("a result can change until it has ended, and the service has answered if it passed or failed", () => {
  expect(statusesWhere(isOpen)).toEqual(["PENDING", "RUNNING"]);
  expect(statusesWhere(isAnswered)).toEqual(["PASSED", "FAILED"]);
});

test("the cost of a plan matters from the plan to its apply", () => {
  expect(COST_STAGES).toEqual(["POST_PLAN", "PRE_APPLY"]);
});

describe("the limits of a result", () => {
  const result = { beganAt: "2026-03-20T12:00:00.000Z", progressSeconds: 60, totalSeconds: 150 };

  test("are one for all of it, and one for each silence", () => {
    expect(totalLimitOf(result)).toBe("2026-03-20T12:02:30.000Z");
    expect(limitOf(result, "2026-03-20T12:00:10.000Z")).toBe("2026-03-20T12:01:10.000Z");
    expect(limitOf(result, "2026-03-20T12:01:29.999Z")).toBe("2026-03-20T12:02:29.999Z");
    expect(limitOf(result, "2026-03-20T12:02:00.000Z")).toBe("2026-03-20T12:02:30.000Z");
  });

  test("are named where one is exceeded", () => {
    expect(exceededText(result, "2026-03-20T12:02:29.999Z")).toBe("The check reported nothing for 60 s.");
    expect(exceededText(result, "2026-03-20T12:02:30.000Z")).toBe("The check did not end within 150 s.");
    expect(exceededText(result, "2026-03-20T12:03:00.000Z")).toBe("The check did not end within 150 s.");
  });
});

describe("the failure that a result counts as", () => {
  const levelOf = (status: CheckStatus, level: EnforcementLevel, onError: PolicyErrorMode): EnforcementLevel | null =>
    failureLevel({ status, level, onError });

  test("is none while it is open, if it passed, and if it is of no use", () => {
    const none = CHECK_STATUSES.filter((status) => levelOf(status, "MANDATORY", "FAIL_CLOSED") === null);
    expect(none).toEqual(["PENDING", "RUNNING", "PASSED", "CANCELED"]);
  });

  test("has the level of the check where the service said so", () => {
    expect(levelOf("FAILED", "ADVISORY", "FAIL_CLOSED")).toBe("ADVISORY");
    expect(levelOf("FAILED", "MANDATORY", "FAIL_OPEN")).toBe("MANDATORY");
  });

  test.each<[EnforcementLevel, PolicyErrorMode, EnforcementLevel]>([
    ["MANDATORY", "FAIL_CLOSED", "MANDATORY"],
    ["MANDATORY", "ASK", "SOFT_MANDATORY"],
    ["MANDATORY", "FAIL_OPEN", "ADVISORY"],
    ["SOFT_MANDATORY", "FAIL_CLOSED", "SOFT_MANDATORY"],
    ["SOFT_MANDATORY", "ASK", "SOFT_MANDATORY"],
    ["SOFT_MANDATORY", "FAIL_OPEN", "ADVISORY"],
    ["ADVISORY", "FAIL_CLOSED", "ADVISORY"],
    ["ADVISORY", "ASK", "ADVISORY"],
  ])("of a silent %s check with %s is %s, never more than its own failure", (level, onError, expected) => {
    expect([levelOf("ERRORED", level, onError), levelOf("TIMED_OUT", level, onError)]).toEqual([expected, expected]);
  });
});

describe("a run is at", () => {
  const AT: Record<CheckStage, readonly RunStatus[]> = {
    PRE_PLAN: ["QUEUED"],
    POST_PLAN: ["POLICY_CHECKING"],
    PRE_APPLY: ["CONFIRMED"],
    POST_APPLY: [
      "VERIFYING",
      "FINISHED",
      "FAILED",
      "TIMED_OUT",
      "REJECTED",
      "DISCARDED",
      "CANCELED",
      "STOPPED",
      "SKIPPED",
    ],
  };

  test.each(CHECK_STAGES)("%s in its statuses alone", (stage) => {
    const found = RUN_STATUSES.filter((status) => isAtStage({ status, planVersion: 2 }, { stage, planVersion: 2 }));
    expect(found).toEqual(AT[stage]);
  });

  test("no stage of an earlier plan", () => {
    const stage = "POST_PLAN";
    expect(isAtStage({ status: "POLICY_CHECKING", planVersion: 3 }, { stage, planVersion: 2 })).toBe(false);
  });
});
