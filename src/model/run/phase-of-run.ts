/** Maps statuses to phases, and changes of status to the ends of phases. */
import type { ExecutedPhase, PhaseKind, PhaseStatus } from "./phase.ts";
import type { RunLeg } from "../lifecycle/run-kind.ts";
import { type RunStatus, STATUS_TRAITS } from "../lifecycle/run-status.ts";

const PHASES: Record<RunStatus, PhaseKind | null> = {
  QUEUED: null,
  READY: null,
  PREPARING: "PREPARE",
  INITIALIZING: "INIT",
  PLANNING: "PLAN",
  POLICY_CHECKING: "POLICY",
  AWAITING_PLAN_APPROVAL: "PLAN_APPROVAL",
  AWAITING_APPLY_APPROVAL: "APPLY_APPROVAL",
  REPLAN_REQUESTED: null,
  CONFIRMED: null,
  APPLYING: "APPLY",
  VERIFYING: "VERIFY",
  PERFORMING: "PERFORM",
  FINISHED: null,
  FAILED: null,
  TIMED_OUT: null,
  REJECTED: null,
  DISCARDED: null,
  CANCELED: null,
  STOPPED: null,
  SKIPPED: null,
};

const LEG_PHASES: Record<RunLeg, readonly ExecutedPhase[]> = {
  PLAN: ["PREPARE", "INIT", "TEST", "PLAN"],
  REPLAN: ["PREPARE", "INIT", "TEST", "PLAN"],
  APPLY: ["PREPARE", "INIT", "APPLY"],
  DESTROY: ["PREPARE", "INIT", "DESTROY"],
  TASK: ["PREPARE", "INIT", "PERFORM"],
};

/** Whether a job on this leg works in this phase. */
export function isPhaseOfLeg(phase: ExecutedPhase, leg: RunLeg): boolean {
  return LEG_PHASES[leg].includes(phase);
}

export function phaseOf(status: RunStatus, leg: RunLeg): PhaseKind | null {
  return status === "APPLYING" && leg === "DESTROY" ? "DESTROY" : PHASES[status];
}

/** Returns how a phase ends with a change of status, unless its runner was lost. */
export function phaseEnd(from: RunStatus, to: RunStatus): PhaseStatus {
  if (to === "FAILED" || to === "REJECTED") return "FAILED";
  if (to === "TIMED_OUT") return "TIMED_OUT";
  if (to === "STOPPED" || to === "DISCARDED" || to === "CANCELED") return "CANCELED";
  const wentBack = STATUS_TRAITS[from].runnerBusy && STATUS_TRAITS[to].claimable;
  return wentBack || to === "REPLAN_REQUESTED" ? "CANCELED" : "PASSED";
}
