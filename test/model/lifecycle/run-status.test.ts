import { expect, test } from "vitest";
import { stageOf } from "../../../src/model/lifecycle/failure-stage.ts";
import {
  CHANGING_STATUSES,
  CLAIMABLE_STATUSES,
  FAILED_STATUSES,
  GATE_STATUSES,
  isTerminal,
  isVerifying,
  LIVE_STATUSES,
  RUN_STATUSES,
} from "../../../src/model/lifecycle/run-status.ts";

test("13 statuses are live, and 8 terminal", () => {
  expect(LIVE_STATUSES).toEqual(RUN_STATUSES.slice(0, 13));
  expect(RUN_STATUSES.filter(isTerminal)).toEqual(RUN_STATUSES.slice(13));
});

test("a runner claims, people decide and statistics count runs of these statuses", () => {
  expect(CLAIMABLE_STATUSES).toEqual(["READY", "REPLAN_REQUESTED", "CONFIRMED"]);
  expect(GATE_STATUSES).toEqual(["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL"]);
  expect(FAILED_STATUSES).toEqual(["FAILED", "TIMED_OUT"]);
});

test("a run changes what it manages, or is verified, in these statuses", () => {
  expect(RUN_STATUSES.filter(isVerifying)).toEqual(["VERIFYING"]);
  expect(CHANGING_STATUSES).toEqual(["APPLYING", "VERIFYING", "PERFORMING"]);
});

test("a failure without a stage of its own has that of the status", () => {
  const stages = Object.fromEntries(RUN_STATUSES.map((status) => [status, stageOf(status)]));
  const unknown = Object.fromEntries(RUN_STATUSES.map((status) => [status, "UNKNOWN"]));
  expect(stages).toEqual({
    ...unknown,
    PREPARING: "SETUP",
    INITIALIZING: "INIT",
    PLANNING: "PLAN",
    POLICY_CHECKING: "POLICY",
    APPLYING: "APPLY",
    VERIFYING: "VERIFY",
    PERFORMING: "DEPLOY",
  });
});
