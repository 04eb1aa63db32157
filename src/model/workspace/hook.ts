/** Commands of a workspace that its runs perform before and after what the engine does. */
import type { FailureStage } from "../lifecycle/failure.ts";
import type { RunKind, RunLeg } from "../lifecycle/run-kind.ts";

export const HOOK_STAGES = [
  "BEFORE_INIT",
  "AFTER_INIT",
  "BEFORE_PLAN",
  "AFTER_PLAN",
  "BEFORE_APPLY",
  "AFTER_APPLY",
  "BEFORE_DESTROY",
  "AFTER_DESTROY",
] as const;
export type HookStage = (typeof HOOK_STAGES)[number];

export interface Hook {
  stage: HookStage;
  /** As a shell reads it. */
  command: string;
}

const INIT = ["BEFORE_INIT", "AFTER_INIT"] as const;
const PLAN = [...INIT, "BEFORE_PLAN", "AFTER_PLAN"] as const;

/** Every leg initialises the engine, an apply too: it may be on another runner than its plan. */
const STAGES_OF_LEG: Record<RunLeg, readonly HookStage[]> = {
  PLAN,
  REPLAN: PLAN,
  APPLY: [...INIT, "BEFORE_APPLY", "AFTER_APPLY"],
  DESTROY: [...INIT, "BEFORE_DESTROY", "AFTER_DESTROY"],
  TASK: INIT,
};

/** Those that a runner performs on a leg, in their order. Breaking a lock needs no engine, and has none. */
export function hooksOfLeg(hooks: readonly Hook[], kind: RunKind, leg: RunLeg): Hook[] {
  return kind === "UNLOCK" ? [] : hooks.filter(({ stage }) => STAGES_OF_LEG[leg].includes(stage));
}

/** The stage of a failed hook, in any status of the run. */
export const FAILURE_STAGE_OF_HOOK = {
  BEFORE_INIT: "INIT",
  AFTER_INIT: "INIT",
  BEFORE_PLAN: "PLAN",
  AFTER_PLAN: "PLAN",
  BEFORE_APPLY: "APPLY",
  AFTER_APPLY: "APPLY",
  BEFORE_DESTROY: "APPLY",
  AFTER_DESTROY: "APPLY",
} as const satisfies Record<HookStage, FailureStage>;
