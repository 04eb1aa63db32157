import { describe, expect, test } from "vitest";
import {
  FAILURE_CODES,
  type FailureCode,
  type FailureReport,
  toFailure,
} from "../../../src/model/lifecycle/failure.ts";

/** Stage ("where seen" where the code does not decide), category, and whether another try may help. */
const TABLE: Record<FailureCode, [stage: string, category: string, retryable: "no" | "yes" | "before apply"]> = {
  AUTHENTICATION_FAILED: ["AUTH", "AUTH_FAILURE", "no"],
  CODEBUILD_DOCKER_IMAGE_BUILD_FAILED: ["BUILD", "BUILD_FAILURE", "no"],
  DEPLOYMENT_VERIFICATION_FAILED: ["VERIFY", "HEALTH_CHECK_FAILURE", "no"],
  AUTOMATIC_ROLLBACK_FAILED: ["ROLLBACK", "ROLLBACK_FAILURE", "no"],
  AUTOMATIC_ROLLBACK_NO_CANDIDATE: ["ROLLBACK", "ROLLBACK_FAILURE", "no"],
  MANUAL_ROLLBACK_FAILED: ["ROLLBACK", "ROLLBACK_FAILURE", "no"],
  INFRASTRUCTURE_NETWORK_FAILURE: ["where seen", "INFRASTRUCTURE_FAILURE", "yes"],
  DEPLOYMENT_FAILED_GENERIC: ["UNKNOWN", "UNKNOWN_FAILURE", "no"],
  SOURCE_FETCH_FAILED: ["CLONE", "CONFIGURATION_FAILURE", "no"],
  ENGINE_MISSING: ["SETUP", "RUNNER_FAILURE", "no"],
  INIT_FAILED: ["INIT", "CONFIGURATION_FAILURE", "no"],
  PLAN_FAILED: ["PLAN", "CONFIGURATION_FAILURE", "no"],
  TARGET_NOT_FOUND: ["PLAN", "CONFIGURATION_FAILURE", "no"],
  PLAN_STALE: ["APPLY", "STATE_FAILURE", "no"],
  POLICY_DENIED: ["POLICY", "POLICY_FAILURE", "no"],
  POLICY_ERROR: ["POLICY", "POLICY_FAILURE", "no"],
  APPROVAL_REJECTED: ["APPROVAL", "POLICY_FAILURE", "no"],
  APPROVAL_TIMED_OUT: ["APPROVAL", "POLICY_FAILURE", "no"],
  APPLY_FAILED: ["APPLY", "INFRASTRUCTURE_FAILURE", "no"],
  APPLY_PARTIAL: ["APPLY", "INFRASTRUCTURE_FAILURE", "no"],
  APPLY_INTERRUPTED: ["APPLY", "INFRASTRUCTURE_FAILURE", "no"],
  DESTROY_FAILED: ["APPLY", "INFRASTRUCTURE_FAILURE", "no"],
  TASK_FAILED: ["DEPLOY", "UNKNOWN_FAILURE", "no"],
  STATE_LOCK_HELD: ["INIT", "STATE_FAILURE", "yes"],
  STATE_NOT_SAVED: ["APPLY", "STATE_FAILURE", "no"],
  RUNNER_LOST: ["where seen", "RUNNER_FAILURE", "before apply"],
  HANDOVER_FAILED: ["SETUP", "RUNNER_FAILURE", "yes"],
  RUN_TIMED_OUT: ["where seen", "UNKNOWN_FAILURE", "no"],
  SILENCE_TIMED_OUT: ["where seen", "UNKNOWN_FAILURE", "no"],
  QUEUE_TIMED_OUT: ["where seen", "UNKNOWN_FAILURE", "no"],
  DEPENDENCY_FAILED: ["UNKNOWN", "UNKNOWN_FAILURE", "no"],
  DEPENDENCY_OUTPUT_MISSING: ["UNKNOWN", "CONFIGURATION_FAILURE", "no"],
  HOOK_FAILED: ["where seen", "CONFIGURATION_FAILURE", "no"],
};

const report = (code: FailureCode): FailureReport => ({
  code,
  summary: "It broke.",
  message: "It broke.\nBadly.",
  evidence: [],
});

describe("the registry", () => {
  test("has exactly the codes of the table", () => {
    expect(FAILURE_CODES.toSorted()).toEqual(Object.keys(TABLE).toSorted());
  });

  test.each(FAILURE_CODES)("%s", (code) => {
    const [stage, category, retryable] = TABLE[code];
    const seen = toFailure({ ...report(code), stage: "ROLLOUT" }, false);
    expect(seen).toMatchObject({
      code,
      category,
      stage: stage === "where seen" ? "ROLLOUT" : stage,
      retryable: retryable !== "no",
    });
    expect(toFailure(report(code), true)).toMatchObject({
      stage: stage === "where seen" ? "UNKNOWN" : stage,
      retryable: retryable === "yes",
    });
  });
});

test("what a report leaves out is null, not guessed", () => {
  expect(toFailure(report("APPLY_FAILED"), true)).toEqual({
    code: "APPLY_FAILED",
    stage: "APPLY",
    category: "INFRASTRUCTURE_FAILURE",
    retryable: false,
    summary: "It broke.",
    message: "It broke.\nBadly.",
    likelyCause: null,
    evidence: [],
    appliedAddresses: null,
    stateUncertain: false,
  });
});

test("what a report says is kept, with six lines of evidence at most", () => {
  const evidence = ["1", "2", "3", "4", "5", "6", "7"];
  const full = { likelyCause: "a quota", appliedAddresses: ["null_resource.a"], stateUncertain: true, evidence };
  expect(toFailure({ ...report("APPLY_PARTIAL"), ...full }, true)).toMatchObject({
    ...full,
    evidence: ["1", "2", "3", "4", "5", "6"],
  });
});
