import { describe, expect, test } from "vitest";
import type { ReportedError } from "../../../src/model/lifecycle/failure-classification.ts";
import { type FailureReport, toFailure } from "../../../src/model/lifecycle/failure.ts";
import { FAILURE_CODES, type FailureCode } from "../../../src/model/lifecycle/failure-code.ts";

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
  TESTS_FAILED: ["TEST", "CONFIGURATION_FAILURE", "no"],
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
    const seen = toFailure({ ...report(code), stage: "DETECT" }, false);
    expect(seen).toMatchObject({
      code,
      category,
      stage: stage === "where seen" ? "DETECT" : stage,
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
    reason: null,
    cause: null,
    summary: "It broke.",
    message: "It broke.\nBadly.",
    likelyCause: null,
    evidence: [],
    appliedAddresses: null,
    stateUncertain: false,
    resources: [],
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

const REFUSED = "dial tcp 127.0.0.1:1: connect: connection refused";
const error = (summary: string, detail = "", address?: string): ReportedError => {
  return { summary, detail, ...(address !== undefined && { address }) };
};
const of = (code: FailureCode, errors: ReportedError[], more: Partial<FailureReport> = {}, applying = false) =>
  toFailure({ ...report(code), errors, ...more }, applying);

describe("the reason", () => {
  const network = [error("Failed", REFUSED, "a.b")];

  test("decides code, stage and category while nothing was applied", () => {
    expect(of("PLAN_FAILED", network, { stage: "PLAN" })).toMatchObject({
      code: "INFRASTRUCTURE_NETWORK_FAILURE",
      stage: "PLAN",
      category: "INFRASTRUCTURE_FAILURE",
      reason: "NETWORK",
      retryable: true,
      cause: null,
      resources: [{ address: "a.b", reason: "NETWORK", summary: "Failed" }],
    });
    expect(of("PLAN_FAILED", [error("Unauthorized")], { stage: "PLAN" })).toMatchObject({
      code: "AUTHENTICATION_FAILED",
      stage: "AUTH",
      category: "AUTH_FAILURE",
    });
    expect(of("INIT_FAILED", [error("Failed to download module")], { stage: "INIT" })).toMatchObject({
      code: "INIT_FAILED",
      stage: "CLONE",
      reason: "MODULE_SOURCE",
    });
    expect(of("APPLY_FAILED", network, { appliedAddresses: [] }, true).code).toBe("INFRASTRUCTURE_NETWORK_FAILURE");
    expect(of("DESTROY_FAILED", network, { appliedAddresses: [] }, true).code).toBe("INFRASTRUCTURE_NETWORK_FAILURE");
    expect(of("HANDOVER_FAILED", network).code).toBe("INFRASTRUCTURE_NETWORK_FAILURE");
  });

  test("decides the code of a handover that failed before its apply began", () => {
    expect(of("HANDOVER_FAILED", network, {}, true)).toMatchObject({
      code: "INFRASTRUCTURE_NETWORK_FAILURE",
      cause: null,
    });
  });

  test.each<[FailureCode, Partial<FailureReport>]>([
    ["APPLY_PARTIAL", { appliedAddresses: ["a.b"] }],
    ["APPLY_PARTIAL", { appliedAddresses: [] }],
    ["DESTROY_FAILED", { appliedAddresses: ["a.b"] }],
    ["APPLY_FAILED", {}],
    ["APPLY_FAILED", { appliedAddresses: [], stateUncertain: true }],
  ])("is the cause where %s %j may have changed something", (code, more) => {
    expect(of(code, network, { ...more, stage: "APPLY" }, true)).toMatchObject({
      code,
      stage: "APPLY",
      reason: "NETWORK",
      cause: "INFRASTRUCTURE_NETWORK_FAILURE",
      retryable: more.stateUncertain !== true,
    });
  });

  test("of a condition is a matter of health after an apply, and of the configuration before", () => {
    const condition = [error("Resource postcondition failed")];
    expect(of("PLAN_FAILED", condition).category).toBe("CONFIGURATION_FAILURE");
    expect(of("APPLY_PARTIAL", condition, {}, true).category).toBe("HEALTH_CHECK_FAILURE");
    const verified = of("DEPLOYMENT_VERIFICATION_FAILED", [], { reason: "CONDITION" });
    expect(verified.category).toBe("HEALTH_CHECK_FAILURE");
  });

  test("is not looked for in what a task, a hook or an interrupted apply left", () => {
    for (const code of ["TASK_FAILED", "HOOK_FAILED", "APPLY_INTERRUPTED", "RUN_TIMED_OUT"] as const) {
      expect(of(code, network, { appliedAddresses: [] }, true)).toMatchObject({ code, reason: null, cause: null });
    }
  });

  test("of a state keeps its code, and whether a retry helps", () => {
    expect(of("STATE_LOCK_HELD", [])).toMatchObject({ code: "STATE_LOCK_HELD", reason: "STATE", retryable: true });
    expect(of("PLAN_STALE", [], {}, true)).toMatchObject({ code: "PLAN_STALE", reason: "STATE", retryable: false });
    expect(of("STATE_NOT_SAVED", [])).toMatchObject({ code: "STATE_NOT_SAVED", reason: "STATE", retryable: false });
  });

  test("a cause that is reported stays", () => {
    expect(of("MANUAL_ROLLBACK_FAILED", network, { cause: "APPLY_PARTIAL" }, true).cause).toBe("APPLY_PARTIAL");
  });

  test("a hundred resources are listed, each with its own reason", () => {
    const many = Array.from({ length: 101 }, (_, index) => error(index === 1 ? "Unauthorized" : "No", "", "x"));
    const { resources, reason } = of("PLAN_FAILED", many);
    expect(reason).toBe("CREDENTIALS_INVALID");
    expect(resources).toHaveLength(100);
    expect(resources.slice(0, 2)).toEqual([
      { address: "x", reason: null, summary: "No" },
      { address: "x", reason: "CREDENTIALS_INVALID", summary: "Unauthorized" },
    ]);
    expect(of("PLAN_FAILED", [error("No", "", "")]).resources).toEqual([
      { address: null, reason: null, summary: "No" },
    ]);
  });
});

test.each([
  ["DETECT", "CONFIGURATION_FAILURE"],
  ["PUBLISH", "BUILD_FAILURE"],
  ["ROLLOUT", "STARTUP_FAILURE"],
  ["PLAN", "CONFIGURATION_FAILURE"],
] as const)("a hook that failed in the stage %s is a %s", (stage, category) => {
  expect(toFailure({ ...report("HOOK_FAILED"), stage }, true)).toMatchObject({ stage, category });
});

test.each(["PUBLISH", "ROLLOUT"] as const)("a time-out in the stage %s is no failure of a hook", (stage) => {
  expect(toFailure({ ...report("RUN_TIMED_OUT"), stage }, true)).toMatchObject({ stage, category: "UNKNOWN_FAILURE" });
});
