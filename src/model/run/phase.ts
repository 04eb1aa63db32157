/** The kinds of phases, as the history of a run shows them. */
export const PHASE_KINDS = [
  "PREPARE",
  "INIT",
  "TEST",
  "PLAN",
  "POLICY",
  "PLAN_APPROVAL",
  "APPLY_APPROVAL",
  "APPLY",
  "DESTROY",
  "VERIFY",
  "PERFORM",
] as const;
export type PhaseKind = (typeof PHASE_KINDS)[number];

export const PHASE_STATUSES = [
  "PENDING",
  "RUNNING",
  "PASSED",
  "FAILED",
  "SKIPPED",
  "CANCELED",
  "TIMED_OUT",
  "LOST",
] as const;
export type PhaseStatus = (typeof PHASE_STATUSES)[number];

/** The phases that a runner executes and writes a log for. */
export const EXECUTED_PHASES = ["PREPARE", "INIT", "TEST", "PLAN", "APPLY", "DESTROY", "PERFORM"] as const;
export type ExecutedPhase = (typeof EXECUTED_PHASES)[number];

export interface Phase {
  id: string;
  runId: string;
  kind: PhaseKind;
  /** Counts from 1; a replan or a requeue adds an attempt. */
  attempt: number;
  status: PhaseStatus;
  runnerId: string | null;
  startedAt: string | null;
  finishedAt: string | null;
}
