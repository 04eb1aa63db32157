import { expect, test } from "vitest";
import { EXECUTED_PHASES, type ExecutedPhase, type PhaseKind, type PhaseStatus } from "../../../src/model/run/phase.ts";
import { isPhaseOfLeg, phaseEnd, phaseOf } from "../../../src/model/run/phase-of-run.ts";
import { RUN_LEGS, type RunLeg } from "../../../src/model/lifecycle/run-kind.ts";
import { RUN_STATUSES, type RunStatus } from "../../../src/model/lifecycle/run-status.ts";

const PHASES: Partial<Record<RunStatus, PhaseKind>> = {
  PREPARING: "PREPARE",
  INITIALIZING: "INIT",
  PLANNING: "PLAN",
  POLICY_CHECKING: "POLICY",
  AWAITING_PLAN_APPROVAL: "PLAN_APPROVAL",
  AWAITING_APPLY_APPROVAL: "APPLY_APPROVAL",
  APPLYING: "APPLY",
  VERIFYING: "VERIFY",
  PERFORMING: "PERFORM",
};

test.each(RUN_STATUSES)("the phase of %s", (status) => {
  for (const leg of RUN_LEGS) {
    const expected = status === "APPLYING" && leg === "DESTROY" ? "DESTROY" : (PHASES[status] ?? null);
    expect(phaseOf(status, leg)).toBe(expected);
  }
});

test.each<[RunLeg, ExecutedPhase[]]>([
  ["PLAN", ["PREPARE", "INIT", "TEST", "PLAN"]],
  ["REPLAN", ["PREPARE", "INIT", "TEST", "PLAN"]],
  ["APPLY", ["PREPARE", "INIT", "APPLY"]],
  ["DESTROY", ["PREPARE", "INIT", "DESTROY"]],
  ["TASK", ["PREPARE", "INIT", "PERFORM"]],
])("a job on the leg %s works in %s", (leg, phases) => {
  expect(EXECUTED_PHASES.filter((phase) => isPhaseOfLeg(phase, leg))).toEqual(phases);
});

test.each<[RunStatus, RunStatus, PhaseStatus]>([
  ["PREPARING", "INITIALIZING", "PASSED"],
  ["PREPARING", "APPLYING", "PASSED"],
  ["INITIALIZING", "PLANNING", "PASSED"],
  ["PLANNING", "AWAITING_PLAN_APPROVAL", "PASSED"],
  ["PLANNING", "POLICY_CHECKING", "PASSED"],
  ["PLANNING", "FINISHED", "PASSED"],
  ["PLANNING", "APPLYING", "PASSED"],
  ["POLICY_CHECKING", "CONFIRMED", "PASSED"],
  ["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL", "PASSED"],
  ["AWAITING_APPLY_APPROVAL", "CONFIRMED", "PASSED"],
  ["APPLYING", "FINISHED", "PASSED"],
  ["APPLYING", "VERIFYING", "PASSED"],
  ["PLANNING", "FAILED", "FAILED"],
  ["APPLYING", "FAILED", "FAILED"],
  ["POLICY_CHECKING", "REJECTED", "FAILED"],
  ["AWAITING_PLAN_APPROVAL", "REJECTED", "FAILED"],
  ["PLANNING", "TIMED_OUT", "TIMED_OUT"],
  ["PLANNING", "STOPPED", "CANCELED"],
  ["AWAITING_APPLY_APPROVAL", "DISCARDED", "CANCELED"],
  ["REPLAN_REQUESTED", "CANCELED", "CANCELED"],
  ["AWAITING_PLAN_APPROVAL", "REPLAN_REQUESTED", "CANCELED"],
  ["PLANNING", "READY", "CANCELED"],
  ["INITIALIZING", "REPLAN_REQUESTED", "CANCELED"],
  ["PREPARING", "CONFIRMED", "CANCELED"],
])("from %s to %s a phase is %s", (from, to, expected) => {
  expect(phaseEnd(from, to)).toBe(expected);
});
