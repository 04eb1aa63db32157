/** The stages of hooks: commands of a workspace that its runs execute before and after the engine's steps. */
import type { FailureCode, FailureStage } from "../lifecycle/failure-code.ts";
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

/** The purposes of hooks: the part that a hook has in the deployment. */
export const HOOK_PURPOSES = ["GENERIC", "DETECT", "BUILD", "PUBLISH", "ROLLOUT"] as const;
export type HookPurpose = (typeof HOOK_PURPOSES)[number];

export interface Hook {
  stage: HookStage;
  /** Absent: GENERIC. */
  purpose?: HookPurpose | undefined;
  /** The shell command. */
  command: string;
}

const INIT = ["BEFORE_INIT", "AFTER_INIT"] as const;
const PLAN = [...INIT, "BEFORE_PLAN", "AFTER_PLAN"] as const;

/** Every leg initialises the engine, also an apply, which may be on another runner than its plan. */
const STAGES_OF_LEG: Record<RunLeg, readonly HookStage[]> = {
  PLAN,
  REPLAN: PLAN,
  APPLY: [...INIT, "BEFORE_APPLY", "AFTER_APPLY"],
  DESTROY: [...INIT, "BEFORE_DESTROY", "AFTER_DESTROY"],
  TASK: INIT,
};

/** Returns the hooks that a runner executes on a leg, in order. An UNLOCK needs no engine and has none. */
export function hooksOfLeg(hooks: readonly Hook[], kind: RunKind, leg: RunLeg): Hook[] {
  return kind === "UNLOCK" ? [] : hooks.filter(({ stage }) => STAGES_OF_LEG[leg].includes(stage));
}

/** The stage of a failed hook without a purpose, in any status of the run. */
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

/** The code and the stage of a failed hook by its purpose. */
export const FAILURE_OF_PURPOSE = {
  DETECT: { code: "HOOK_FAILED", stage: "DETECT" },
  BUILD: { code: "CODEBUILD_DOCKER_IMAGE_BUILD_FAILED", stage: "BUILD" },
  PUBLISH: { code: "HOOK_FAILED", stage: "PUBLISH" },
  ROLLOUT: { code: "HOOK_FAILED", stage: "ROLLOUT" },
} as const satisfies Record<Exclude<HookPurpose, "GENERIC">, { code: FailureCode; stage: FailureStage }>;

/** Returns the code and the stage of a failure of a hook. */
export function failureOfHook({ stage, purpose = "GENERIC" }: Pick<Hook, "stage" | "purpose">): {
  code: FailureCode;
  stage: FailureStage;
} {
  if (purpose === "GENERIC") return { code: "HOOK_FAILED", stage: FAILURE_STAGE_OF_HOOK[stage] };
  return FAILURE_OF_PURPOSE[purpose];
}
