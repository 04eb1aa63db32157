import type { ApproverKind } from "./approver.ts";

export const GATES = ["PLAN", "APPLY"] as const;
export type Gate = (typeof GATES)[number];

/**
 * OVERRIDDEN: accepts the failures of a policy set, which is the only decision that its stage counts. WITHDRAWN: revokes the same
 * person's approval or override of the stage.
 */
export const APPROVAL_DECISIONS = ["APPROVED", "REJECTED", "WITHDRAWN", "OVERRIDDEN"] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/** A person's decision about exactly one plan. */
export interface Approval {
  id: string;
  runId: string;
  gate: Gate;
  /** The stage of the gate that it belongs to. `null` if no rule defines stages, and for a rejection. */
  stage: string | null;
  decision: ApprovalDecision;
  actorId: string;
  /** The kind of approver that the actor was at the time of the decision. */
  approverKind: ApproverKind;
  /** The id of the actor as which it counted at that time: its own, or that of its sponsor. */
  countsAs: string;
  /** The teams that the actor was a member of at that time. */
  teamIds: readonly string[];
  /** The person had signed in shortly before the decision. */
  present: boolean;
  comment: string | null;
  planVersion: number;
  planDigest: string;
  /** The earliest time of the apply; only in approvals at the apply gate. */
  applyAt: string | null;
  at: string;
  /**
   * `false` for a withdrawal, and once a newer plan or a newer decision of the same person at this stage replaced it.
   */
  counts: boolean;
}
