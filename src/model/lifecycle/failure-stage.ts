import type { FailureStage } from "./failure-code.ts";
import type { RunStatus } from "./run-status.ts";

const STAGES: Partial<Record<RunStatus, FailureStage>> = {
  PREPARING: "SETUP",
  INITIALIZING: "INIT",
  PLANNING: "PLAN",
  POLICY_CHECKING: "POLICY",
  APPLYING: "APPLY",
  VERIFYING: "VERIFY",
  PERFORMING: "DEPLOY",
};

/** Returns the stage of a failure that ended a run in this status. */
export function stageOf(status: RunStatus): FailureStage {
  return STAGES[status] ?? "UNKNOWN";
}
