export const GATES = ["PLAN", "APPLY"] as const;
export type Gate = (typeof GATES)[number];

/** WITHDRAWN: takes back what the same person approved at the stage. */
export const APPROVAL_DECISIONS = ["APPROVED", "REJECTED", "WITHDRAWN"] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** A person's decision about exactly one plan. */
export interface Approval {
  id: string;
  runId: string;
  gate: Gate;
  /** The stage of the gate that it is for; null where no rule divides the gate, and for a rejection. */
  stage: string | null;
  decision: ApprovalDecision;
  actorId: string;
  comment: string | null;
  planVersion: number;
  planDigest: string;
  /** When the apply is to begin at the earliest; only of approvals at the apply gate. */
  applyAt: string | null;
  at: string;
  /** false: a withdrawal; or a newer plan, or a newer decision of the same person at this stage, replaced it. */
  counts: boolean;
}
