import type { FailureReport } from "../../model/lifecycle/failure.ts";

/** The failure of a stopped apply whose runner does not report how far it got. */
export const UNKNOWN_RESULT: FailureReport = {
  code: "APPLY_INTERRUPTED",
  stage: "APPLY",
  summary: "The run was interrupted, and its result is not known.",
  message:
    "The run was interrupted, and its result is not known. Check the infrastructure, then unlock the workspace with force.",
  evidence: [],
  stateUncertain: true,
};
