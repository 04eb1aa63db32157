/** One action on many runs, as a job of the server. */
import type { Gate } from "../approval/approval.ts";
import type { Permission } from "../people/permission-set.ts";
import type { UserErrorCode } from "../kit/user-error.ts";

export const BULK_ACTIONS = ["CANCEL", "DISCARD", "APPROVE", "RETRY"] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

export const BULK_STATES = ["RUNNING", "STOPPED", "FINISHED"] as const;
export type BulkState = (typeof BULK_STATES)[number];

/** What each of the runs is asked for, and how the refusal of somebody who may not says it. */
export const BULK_COMMANDS = {
  CANCEL: { permission: "run:cancel", words: "cancelling runs" },
  DISCARD: { permission: "run:discard", words: "discarding runs" },
  APPROVE: { permission: "run:approve", words: "approving runs" },
  RETRY: { permission: "run:retry", words: "retrying runs" },
} as const satisfies Record<BulkAction, { permission: Permission; words: string }>;

export interface BulkOperation {
  id: string;
  action: BulkAction;
  /** With APPROVE. */
  gate: Gate | null;
  comment: string | null;
  state: BulkState;
  totalCount: number;
  doneCount: number;
  succeededCount: number;
  createdById: string;
  /** Whose rights count, as they are when each run has its turn. */
  tokenId: string;
  createdAt: string;
  finishedAt: string | null;
}

/** One run of an operation. */
export interface BulkItem {
  operationId: string;
  /** From 1: the oldest run first. */
  position: number;
  runId: string;
  /** The plan that was the newest one when the operation was created. */
  planVersion: number;
}

/** What came of it; `ok` null: it has not had its turn, and where the operation was stopped, it never will. */
export interface BulkResult extends BulkItem {
  ok: boolean | null;
  /** null also where something unexpected went wrong. */
  code: UserErrorCode | null;
  message: string | null;
  /** The run that a RETRY made. */
  newRunId: string | null;
  doneAt: string | null;
}
