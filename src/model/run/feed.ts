import type { RunEvent } from "./run-event.ts";

/**
 * A place in the feed of an organization, which its workspaces share: positions count up in the order of the commits.
 * The epoch is another one after the database was put back, when positions are given out a second time.
 */
export interface FeedPosition {
  epoch: string;
  position: number;
}

/** A fact about a workspace, as it was committed. */
export interface WorkspaceEvent {
  workspaceId: string;
  at: string;
  actorId: string;
  /** Names of fields of the workspace that changed, "created" or "deleted". */
  fields: string[];
}

/** One entry of a feed. */
export type FeedEntry =
  | { type: "RUN"; position: number; event: RunEvent }
  | { type: "WORKSPACE"; position: number; event: WorkspaceEvent };
