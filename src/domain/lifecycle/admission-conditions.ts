import type { AdmissionConditions } from "../../model/admission/eligibility.ts";
import type { WorkspaceContext } from "./machine-input.ts";

/** Returns the conditions of a workspace that decide admission at a given time. */
export function admissionConditions({ workspace, frozenUntil }: WorkspaceContext, at: Date): AdmissionConditions {
  const { paused, lock } = workspace;
  return {
    at: at.toISOString(),
    paused,
    lock: lock?.reason ?? null,
    lockRunId: lock?.runId ?? null,
    frozenUntil,
  };
}
