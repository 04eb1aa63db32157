import type { Gate } from "../approval/approval.ts";

/** The changes of a changeset as a whole, or of some of its workspaces at once. */
export const CHANGESET_CHANGES = [
  "CREATED",
  "HELD",
  "CONTINUED",
  "APPROVED",
  "DISCARDED",
  "RUN_NOT_CREATED",
  "SUPERSEDED",
  "APPLIED",
  "REOPENED",
] as const;
export type ChangesetChange = (typeof CHANGESET_CHANGES)[number];

/** A committed change of a changeset. Changes of its runs are events of the runs. */
export interface ChangesetEvent {
  changesetId: string;
  at: string;
  actorId: string;
  change: ChangesetChange;
  /** The gate of APPROVED; `null` for other changes. */
  gate: Gate | null;
}

/** A change, with the workspaces that it concerns; `null`: all of the changeset. */
export interface NewChangesetEvent extends ChangesetEvent {
  workspaceIds: readonly string[] | null;
}

/**
 * Whether a change shows something of all workspaces of the changeset: who does not see all of them must not learn when the
 * last hidden one was applied. Other changes are shown to those who see one that they concern.
 */
export function concernsAll(change: ChangesetChange): boolean {
  return change === "APPLIED" || change === "REOPENED";
}
