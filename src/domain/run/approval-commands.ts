/** The inputs of commands about approvals and comments, and the reads of approvals. */
import type { Approval, Gate } from "../../model/approval/approval.ts";
import type { StageSource } from "../../model/approval/run-stage.ts";

export interface ApproveRunInput {
  runId: string;
  gate: Gate;
  planVersion: number;
  comment: string | null;
  /** The stage to approve. If absent, the current one. */
  stage?: string | null | undefined;
  /** At the apply gate: the earliest time of the apply. */
  applyAt?: string | null | undefined;
}

export interface WithdrawApprovalInput {
  runId: string;
  gate: Gate;
  comment: string | null;
}

export interface CommentOnRunInput {
  runId: string;
  text: string;
}

/** A stage of a gate that a run waits at or will reach. */
export interface ApprovalRequirement {
  gate: Gate;
  /** `null` if no rule defines stages. */
  stage: string | null;
  /** `null` if no rule defines stages. */
  source: StageSource | null;
  /** Why it is a stage of this run; `null` for a rule without a condition. */
  reason: string | null;
  minimum: number;
  given: Approval[];
  missing: number;
  satisfied: boolean;
  /** The run waits for this stage now. */
  current: boolean;
  commentRequired: boolean;
  requirePresence: boolean;
  machinesCount: boolean;
  excludeRequester: boolean;
  distinctFromPlanApprover: boolean;
  /** The first of the actors who can still approve this stage. */
  eligibleActorIds: string[];
  viewerCanApprove: boolean;
  /** The reason why the viewer cannot approve; `null` if the viewer can. */
  viewerReason: string | null;
}
