import { describe, expect, test } from "vitest";
import {
  gateFailure,
  queueFailure,
  reportedFailure,
  judgementFailure,
  unverifiedFailure,
  unansweredFailure,
} from "../../../src/domain/lease/limit-failure.ts";
import { isApplying, lostRunnerFailure, uncertainLock } from "../../../src/domain/lease/lost-runner.ts";
import type { RunLimits } from "../../../src/model/approval/run-rules.ts";
import type { Run } from "../../../src/model/run/run.ts";
import { aContext, aRun, NOW } from "../../support/decided-run.ts";

const MINUTE = 60_000;
const limited = (run: Partial<Run>, limits: Partial<RunLimits> = {}) => ({ ...aContext({ limits }), run: aRun(run) });
const LINES = ["one", "two"];
const REPORT = {
  code: "PLAN_FAILED",
  stage: "CLONE",
  summary: "own",
  message: "The engine was interrupted.",
  evidence: LINES,
  appliedAddresses: ["a.b"],
  stateUncertain: true,
} as const;

describe("a run whose runner ended its work", () => {
  test("keeps the report, but for the code, the stage and the summary", () => {
    expect(
      reportedFailure(limited({ status: "PLANNING" }), "SILENCE", {
        ...REPORT,
        evidence: LINES,
        appliedAddresses: ["a.b"],
      }),
    ).toMatchObject({
      code: "SILENCE_TIMED_OUT",
      stage: "PLAN",
      summary: "The engine wrote no output for 30 min, the limit `silenceSeconds`.",
      message: "The engine was interrupted.",
      evidence: LINES,
      appliedAddresses: ["a.b"],
      stateUncertain: false,
    });
  });

  test("is uncertain only if it applied", () => {
    const uncertain = (run: Partial<Run>) =>
      reportedFailure(limited(run), "RUN", { ...REPORT, evidence: [], appliedAddresses: [] }).stateUncertain;
    expect(uncertain({ status: "APPLYING", leg: "APPLY" })).toBe(true);
    expect(uncertain({ status: "PERFORMING", kind: "TASK", leg: "TASK" })).toBe(true);
    expect(uncertain({ status: "PERFORMING", kind: "UNLOCK", leg: "TASK" })).toBe(false);
    expect(uncertain({ status: "INITIALIZING", leg: "APPLY" })).toBe(false);
  });
});

describe("a run whose runner did not answer", () => {
  test("applied nothing before it applies", () => {
    const failure = unansweredFailure(limited({ status: "PLANNING" }), "RUN", LINES);
    expect(failure).toMatchObject({
      code: "RUN_TIMED_OUT",
      stage: "PLAN",
      summary: "The leg PLAN took longer than 2 h, the limit `planSeconds`.",
      message:
        "The leg PLAN took longer than 2 h, the limit `planSeconds`. The runner did not report how the run ended. Nothing was applied.",
      evidence: LINES,
      stateUncertain: false,
    });
  });

  test("is uncertain if it applied", () => {
    const failure = unansweredFailure(limited({ status: "APPLYING", leg: "APPLY" }), "RUN", LINES);
    expect(failure).toMatchObject({ stage: "APPLY", stateUncertain: true });
    expect(failure.message).toBe(
      "The leg APPLY took longer than 24 h, the limit `applySeconds`. The runner did not report how the run ended while it changed infrastructure. Its result is not known: check the infrastructure, then unlock the workspace with force.",
    );
    expect(unansweredFailure(limited({ status: "PERFORMING", kind: "UNLOCK" }), "RUN", []).stateUncertain).toBe(false);
  });
});

test.each([
  ["PLAN", { planMs: 90 * MINUTE, applyMs: MINUTE }, "The leg PLAN took longer than 90 min, the limit `planSeconds`."],
  ["REPLAN", { planMs: 3600_000, applyMs: MINUTE }, "The leg REPLAN took longer than 1 h, the limit `planSeconds`."],
  ["APPLY", { planMs: MINUTE, applyMs: 90_000 }, "The leg APPLY took longer than 90 s, the limit `applySeconds`."],
  ["DESTROY", { applyMs: 3_660_000 }, "The leg DESTROY took longer than 61 min, the limit `applySeconds`."],
  ["TASK", { applyMs: 1499 }, "The leg TASK took longer than 1 s, the limit `applySeconds`."],
] as const)("the limit of a leg is named with its length: %s", (leg, limits, summary) => {
  expect(unansweredFailure(limited({ leg }, limits), "RUN", []).summary).toBe(summary);
});

describe("work of the server that took too long", () => {
  test("is the judgement of a plan", () => {
    const run = { status: "POLICY_CHECKING", leg: "PLAN" } as const;
    const summary = "The plan was not judged within 5 min, the limit `planSeconds`.";
    expect(judgementFailure(limited(run, { planMs: 5 * MINUTE, applyMs: MINUTE }))).toMatchObject({
      code: "RUN_TIMED_OUT",
      stage: "POLICY",
      summary,
      message: `${summary} Nothing was applied.`,
      evidence: [],
      stateUncertain: false,
    });
  });

  test("is the verification of an apply, which succeeded", () => {
    const summary = "The result of the apply was not verified within 27 h.";
    expect(unverifiedFailure()).toMatchObject({
      code: "DEPLOYMENT_VERIFICATION_FAILED",
      stage: "VERIFY",
      summary,
      message: `${summary} The apply itself succeeded.`,
    });
  });
});

test("a run that nobody took or decided about in time names the limit", () => {
  expect(queueFailure()).toMatchObject({
    code: "QUEUE_TIMED_OUT",
    summary: "The run waited in the queue for longer than the limit `queueSeconds`.",
    message: "The run waited in the queue for longer than the limit `queueSeconds`.",
    evidence: [],
    stateUncertain: false,
  });
  const summary = "No decision was made at the plan gate within the limit `planApprovalSeconds`.";
  expect(gateFailure("PLAN")).toMatchObject({ code: "APPROVAL_TIMED_OUT", summary, message: summary, evidence: [] });
  expect(gateFailure("APPLY").summary).toBe(
    "No decision was made at the apply gate within the limit `applyApprovalSeconds`.",
  );
});

describe("a lost runner", () => {
  test("on the last attempt fails the run, with its log", () => {
    expect(lostRunnerFailure({ status: "PLANNING", attempt: 3 }, "The runner was revoked", LINES)).toMatchObject({
      code: "RUNNER_LOST",
      stage: "PLAN",
      summary: "The runner was lost on every attempt.",
      message: "The runner was revoked; this was attempt 3.",
      evidence: LINES,
      stateUncertain: false,
    });
  });

  test("leaves an apply uncertain", () => {
    expect(lostRunnerFailure({ status: "APPLYING", attempt: 1 }, "The runner was revoked", LINES)).toMatchObject({
      stage: "APPLY",
      summary: "The runner was lost while it applied.",
      message:
        "The runner was revoked while it changed infrastructure. Its result is not known: check the infrastructure, then unlock the workspace with force.",
      stateUncertain: true,
    });
    expect(isApplying({ status: "PERFORMING" })).toBe(true);
    expect(isApplying({ status: "VERIFYING" })).toBe(false);
  });

  test("whose apply is uncertain locks the workspace, and keeps a person's note", () => {
    const lock = { reason: "APPLY_INTERRUPTED", runId: "run_1", since: NOW, expiresAt: null };
    expect(uncertainLock("run_1", { lock: null }, NOW)).toEqual({ ...lock, actorId: null, note: null });
    const manual = {
      reason: "MANUAL",
      runId: null,
      actorId: "actor_1",
      note: "mine",
      since: "then",
      expiresAt: "soon",
    } as const;
    expect(uncertainLock("run_1", { lock: manual }, NOW)).toEqual({ ...lock, actorId: "actor_1", note: "mine" });
    expect(
      uncertainLock("run_2", { lock: { ...manual, reason: "APPLY_INTERRUPTED", runId: "run_1" } }, NOW),
    ).toBeNull();
  });
});
