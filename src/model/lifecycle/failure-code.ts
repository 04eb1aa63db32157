/** The codes of failures, with the stage and the category of each. */
import { keysOf } from "../kit/keys-of.ts";

export const FAILURE_STAGES = [
  "CLONE",
  "DETECT",
  "AUTH",
  "BUILD",
  "PUBLISH",
  "SETUP",
  "INIT",
  "TEST",
  "PLAN",
  "POLICY",
  "APPROVAL",
  "APPLY",
  "DEPLOY",
  "ROLLOUT",
  "VERIFY",
  "ROLLBACK",
  "UNKNOWN",
] as const;
export type FailureStage = (typeof FAILURE_STAGES)[number];

export const FAILURE_CATEGORIES = [
  "AUTH_FAILURE",
  "BUILD_FAILURE",
  "STARTUP_FAILURE",
  "HEALTH_CHECK_FAILURE",
  "ROLLBACK_FAILURE",
  "INFRASTRUCTURE_FAILURE",
  "CONFIGURATION_FAILURE",
  "POLICY_FAILURE",
  "RUNNER_FAILURE",
  "STATE_FAILURE",
  "UNKNOWN_FAILURE",
] as const;
export type FailureCategory = (typeof FAILURE_CATEGORIES)[number];

export interface FailureDefinition {
  /** `null`: the report names the stage. */
  stage: FailureStage | null;
  category: FailureCategory;
  /** "before apply": a retry is safe only while nothing was applied. */
  retryable: boolean | "before apply";
  /** It is about what was applied, although nothing is being applied any more. */
  ofApply?: true;
  meaning: string;
}

/** Every failure of a run, with its meaning for clients. */
export const FAILURES = {
  AUTHENTICATION_FAILED: {
    stage: "AUTH",
    category: "AUTH_FAILURE",
    retryable: false,
    meaning: "Credentials for a provider or a source were refused.",
  },
  CODEBUILD_DOCKER_IMAGE_BUILD_FAILED: {
    stage: "BUILD",
    category: "BUILD_FAILURE",
    retryable: false,
    meaning: "An image that the deployment needs could not be built.",
  },
  DEPLOYMENT_VERIFICATION_FAILED: {
    stage: "VERIFY",
    category: "HEALTH_CHECK_FAILURE",
    retryable: false,
    ofApply: true,
    meaning: "The probes after the apply did not pass.",
  },
  AUTOMATIC_ROLLBACK_FAILED: {
    stage: "ROLLBACK",
    category: "ROLLBACK_FAILURE",
    retryable: false,
    meaning: "The rollback that the system started failed.",
  },
  AUTOMATIC_ROLLBACK_NO_CANDIDATE: {
    stage: "ROLLBACK",
    category: "ROLLBACK_FAILURE",
    retryable: false,
    meaning: "No earlier run to which the workspace could go back is known to be good.",
  },
  MANUAL_ROLLBACK_FAILED: {
    stage: "ROLLBACK",
    category: "ROLLBACK_FAILURE",
    retryable: false,
    meaning: "The rollback that a person started failed.",
  },
  INFRASTRUCTURE_NETWORK_FAILURE: {
    stage: null,
    category: "INFRASTRUCTURE_FAILURE",
    retryable: true,
    meaning: "The network between the runner and a provider failed.",
  },
  DEPLOYMENT_FAILED_GENERIC: {
    stage: "UNKNOWN",
    category: "UNKNOWN_FAILURE",
    retryable: false,
    meaning: "The failure has no other code; read the message.",
  },
  SOURCE_FETCH_FAILED: {
    stage: "CLONE",
    category: "CONFIGURATION_FAILURE",
    retryable: false,
    meaning: "The source of the run could not be fetched or unpacked.",
  },
  ENGINE_MISSING: {
    stage: "SETUP",
    category: "RUNNER_FAILURE",
    retryable: false,
    meaning: "The runner has no terraform or tofu, or not the one that made the plan.",
  },
  INIT_FAILED: {
    stage: "INIT",
    category: "CONFIGURATION_FAILURE",
    retryable: false,
    meaning: "The engine could not initialise: configuration, modules or providers.",
  },
  TESTS_FAILED: {
    stage: "TEST",
    category: "CONFIGURATION_FAILURE",
    retryable: false,
    meaning: "The tests of the configuration did not pass, or could not be run.",
  },
  PLAN_FAILED: {
    stage: "PLAN",
    category: "CONFIGURATION_FAILURE",
    retryable: false,
    meaning: "The engine could not make a plan.",
  },
  TARGET_NOT_FOUND: {
    stage: "PLAN",
    category: "CONFIGURATION_FAILURE",
    retryable: false,
    meaning: "A target or an address to replace matches nothing in the plan.",
  },
  PLAN_STALE: {
    stage: "APPLY",
    category: "STATE_FAILURE",
    retryable: false,
    meaning: "The state changed after the plan was made; nothing was applied.",
  },
  POLICY_DENIED: {
    stage: "POLICY",
    category: "POLICY_FAILURE",
    retryable: false,
    meaning: "A policy forbids the plan.",
  },
  POLICY_ERROR: {
    stage: "POLICY",
    category: "POLICY_FAILURE",
    retryable: false,
    meaning: "A policy could not be evaluated.",
  },
  APPROVAL_REJECTED: {
    stage: "APPROVAL",
    category: "POLICY_FAILURE",
    retryable: false,
    meaning: "A reviewer rejected the plan.",
  },
  APPROVAL_TIMED_OUT: {
    stage: "APPROVAL",
    category: "POLICY_FAILURE",
    retryable: false,
    meaning: "No decision about the plan was made in time.",
  },
  APPLY_FAILED: {
    stage: "APPLY",
    category: "INFRASTRUCTURE_FAILURE",
    retryable: false,
    meaning: "The apply failed before it changed anything.",
  },
  APPLY_PARTIAL: {
    stage: "APPLY",
    category: "INFRASTRUCTURE_FAILURE",
    retryable: false,
    meaning: "The apply failed after it changed some resources; the next plan lists the rest.",
  },
  APPLY_INTERRUPTED: {
    stage: "APPLY",
    category: "INFRASTRUCTURE_FAILURE",
    retryable: false,
    meaning:
      "The run was interrupted while it changed infrastructure. If `stateUncertain` is true, its state may not be saved.",
  },
  DESTROY_FAILED: {
    stage: "APPLY",
    category: "INFRASTRUCTURE_FAILURE",
    retryable: false,
    meaning: "The destroy failed; the next plan lists the rest.",
  },
  STATE_LOCK_HELD: {
    stage: "INIT",
    category: "STATE_FAILURE",
    retryable: true,
    meaning: "The engine's lock on the state is held by another run or person.",
  },
  STATE_NOT_SAVED: {
    stage: "APPLY",
    category: "STATE_FAILURE",
    retryable: false,
    meaning: "The apply changed infrastructure, but its state could not be stored.",
  },
  TASK_FAILED: {
    stage: "DEPLOY",
    category: "UNKNOWN_FAILURE",
    retryable: false,
    meaning: "The task's command failed.",
  },
  RUNNER_LOST: {
    stage: null,
    category: "RUNNER_FAILURE",
    retryable: "before apply",
    meaning: "The lease of the runner expired without a heartbeat.",
  },
  HANDOVER_FAILED: {
    stage: "SETUP",
    category: "RUNNER_FAILURE",
    retryable: true,
    meaning: "The prepared workspace could not be handed from the plan to the apply.",
  },
  RUN_TIMED_OUT: {
    stage: null,
    category: "UNKNOWN_FAILURE",
    retryable: false,
    meaning: "The run took longer than its limit.",
  },
  SILENCE_TIMED_OUT: {
    stage: null,
    category: "UNKNOWN_FAILURE",
    retryable: false,
    meaning: "The engine was silent for longer than its limit.",
  },
  QUEUE_TIMED_OUT: {
    stage: null,
    category: "UNKNOWN_FAILURE",
    retryable: false,
    meaning: "The run waited in the queue for longer than its limit.",
  },
  DEPENDENCY_FAILED: {
    stage: "UNKNOWN",
    category: "UNKNOWN_FAILURE",
    retryable: false,
    meaning: "A run that this run depends on failed.",
  },
  DEPENDENCY_OUTPUT_MISSING: {
    stage: "UNKNOWN",
    category: "CONFIGURATION_FAILURE",
    retryable: false,
    meaning: "An output that the workspace takes from another one is missing there, or cannot be a variable.",
  },
  HOOK_FAILED: { stage: null, category: "CONFIGURATION_FAILURE", retryable: false, meaning: "A hook failed." },
} as const satisfies Record<string, FailureDefinition>;

export type FailureCode = keyof typeof FAILURES;
export const FAILURE_CODES = keysOf(FAILURES);
