/** Bulk operations: one action on many runs, executed by the server. */
import type { Gate } from "../approval/approval.ts";
import type { Permission } from "../people/permission-set.ts";
import type { UserErrorCode } from "../kit/user-error.ts";

export const BULK_ACTIONS = ["CANCEL", "DISCARD", "APPROVE", "RETRY"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export const BULK_STATES = ["RUNNING", "STOPPED", "FINISHED"] as const;
export type BulkState = (typeof BULK_STATES)[number];

/** The permissions of each action, of which the caller needs one somewhere, with the words for its refusal. */
export const BULK_COMMANDS = {
  CANCEL: { permissions: ["RUN_CANCEL"], words: "cancelling runs" },
  DISCARD: { permissions: ["RUN_DISCARD"], words: "discarding runs" },
  APPROVE: { permissions: ["PLAN_APPROVE", "APPLY_APPROVE"], words: "approving runs" },
  RETRY: { permissions: ["RUN_PLAN", "RUN_DEPLOY", "RUN_DESTROY", "RUN_TASK"], words: "retrying runs" },
} as const satisfies Record<BulkAction, { permissions: readonly [Permission, ...Permission[]]; words: string }>;

/** The runs of an operation, and how many of them are done. */
export interface BulkCounts {
  totalCount: number;
  doneCount: number;
  succeededCount: number;
}

export interface BulkOperation extends BulkCounts {
  id: string;
  action: BulkAction;
  /** For the action APPROVE. */
  gate: Gate | null;
  comment: string | null;
  state: BulkState;
  createdById: string;
  /** The token or the session whose current rights are checked for each run. */
  credentialId: string;
  createdAt: string;
  finishedAt: string | null;
}

/** One run of an operation. */
export interface BulkItem {
  operationId: string;
  /** From 1: the oldest run first. */
  position: number;
  runId: string;
  /** The newest plan when the operation was created. */
  planVersion: number;
}

/** The result for one run. `ok` is `null` if the run was not reached yet; after a stop it stays so. */
export interface BulkResult extends BulkItem {
  ok: boolean | null;
  /** `null` also after an unexpected failure. */
  code: UserErrorCode | null;
  message: string | null;
  /** The run that a RETRY created. */
  newRunId: string | null;
  doneAt: string | null;
}
