export const GATES = ["PLAN", "APPLY"] as const;
export type Gate = (typeof GATES)[number];

export const APPROVAL_DECISIONS = ["APPROVED", "REJECTED"] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** A person's decision about exactly one plan. */
export interface Approval {
  id: string;
  runId: string;
  gate: Gate;
  decision: ApprovalDecision;
  actorId: string;
  comment: string | null;
  planVersion: number;
  planDigest: string;
  at: string;
  /** false: a newer plan, or a newer decision of the same person at this gate, replaced it. */
  counts: boolean;
}
