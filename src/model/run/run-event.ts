import type { CheckStatus } from "../check/external-check.ts";
import type { VerificationStatus } from "../verification/verification.ts";
import type { PhaseStatus } from "./phase.ts";
import type { RunStatus } from "../lifecycle/run-status.ts";

export interface EventBase {
  runId: string;
  /** The version of the run at the event; numbered from 1 without gaps. */
  version: number;
  at: string;
  actorId: string;
}

/** A committed change of a run. */
export type RunEvent = EventBase & RunEventBody;
export type RunEventBody =
  | { type: "STATUS_CHANGED"; from: RunStatus | null; to: RunStatus; reason: string | null }
  | { type: "CHANGED"; fields: string[] }
  | { type: "PHASE_CHANGED"; phaseId: string; to: PhaseStatus }
  | { type: "PLAN_READY"; planId: string }
  | { type: "APPROVAL_RECORDED"; approvalId: string }
  | { type: "CHECK_CHANGED"; resultId: string; to: CheckStatus }
  | { type: "POLICY_EVALUATED"; evaluationId: string }
  | { type: "VERIFICATION_CHANGED"; verificationId: string; to: VerificationStatus };
export const RUN_EVENT_TYPES = [
  "STATUS_CHANGED",
  "CHANGED",
  "PHASE_CHANGED",
  "PLAN_READY",
  "APPROVAL_RECORDED",
  "CHECK_CHANGED",
  "POLICY_EVALUATED",
  "VERIFICATION_CHANGED",
] as const satisfies readonly RunEventBody["type"][];
