/** The task of a run. The kind never changes. */
export const RUN_KINDS = ["DEPLOY", "DESTROY", "PLAN", "APPLY", "UNLOCK", "TASK"] as const;
export type RunKind = (typeof RUN_KINDS)[number];

/** The stretch of work that a run is on. */
export const RUN_LEGS = ["PLAN", "REPLAN", "APPLY", "DESTROY", "TASK"] as const;
export type RunLeg = (typeof RUN_LEGS)[number];

/** The outcome of a FINISHED run; only that status has one. */
export const RUN_OUTCOMES = [
  "NO_CHANGES",
  "PLANNED",
  "APPLIED",
  "DESTROYED",
  "UNLOCKED",
  "PERFORMED",
  "APPLY_SKIPPED",
] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** The cause of a run. MANUAL: a person, by any means. API: a machine user. */
export const RUN_TRIGGERS = [
  "MANUAL",
  "API",
  "PUSH",
  "TAG",
  "PULL_REQUEST",
  "SCHEDULE",
  "PROMOTION",
  "DEPENDENCY",
  "POLICY",
  "DRIFT",
  "INBOUND_HOOK",
  "RETRY",
  "ROLLBACK",
] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** The leg on which a new run of each kind starts. */
export const FIRST_LEG = {
  DEPLOY: "PLAN",
  DESTROY: "PLAN",
  PLAN: "PLAN",
  APPLY: "APPLY",
  UNLOCK: "TASK",
  TASK: "TASK",
} as const satisfies Record<RunKind, RunLeg>;

/** Whether infrastructure may change on this leg through a plan. */
export function isApplyLeg(leg: RunLeg): leg is "APPLY" | "DESTROY" {
  return leg === "APPLY" || leg === "DESTROY";
}
