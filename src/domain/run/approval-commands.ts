/** What people say about a run at its gates and beside them: the inputs of those commands, and what is asked of them. */
import type { Approval, Gate } from "../../model/approval/approval.ts";
import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { Run } from "../../model/run/run.ts";
import type { RunComment } from "../../model/run/run-comment.ts";

export interface ApproveRunInput {
  runId: string;
  gate: Gate;
  planVersion: number;
  comment: string | null;
  /** The stage that is meant; absent: the one whose turn it is. */
  stage?: string | null | undefined;
  /** At the apply gate: begin then at the earliest. */
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

/** One stage of a gate that a run waits at or will meet. */
export interface ApprovalRequirement {
  gate: Gate;
  /** null: no rule divides the gate. */
  stage: string | null;
  minimum: number;
  given: Approval[];
  missing: number;
  satisfied: boolean;
  /** The run waits for it now. */
  current: boolean;
  commentRequired: boolean;
  excludeRequester: boolean;
  distinctFromPlanApprover: boolean;
  /** Who can still give an approval here, the first of them. */
  eligibleActorIds: string[];
  viewerCanApprove: boolean;
  /** Why the viewer cannot; null where the viewer can. */
  viewerReason: string | null;
}

export interface ApprovalQueries {
  /** By run: the stages of the gates that it waits at or will meet, in order. */
  approvalRequirements(caller: TokenCaller, runs: readonly Run[]): Promise<ApprovalRequirement[][]>;
  runComments(caller: TokenCaller, ids: readonly string[]): Promise<(RunComment | null)[]>;
  /** Oldest first; positions are ids. */
  listRunComments(caller: TokenCaller, runId: string, page: PageRequest<string>): Promise<Page<RunComment>>;
}
