import type { HealthChange } from "../health/runtime-health.ts";
import type { Place, Places } from "../people/place.ts";
import type { ChangesetEvent } from "./changeset-event.ts";
import type { RunEvent } from "./run-event.ts";

/**
 * A position in the feed of an organization, shared by its workspaces. Positions increase in commit order. The epoch
 * changes when a backup is restored and positions are assigned again.
 */
export interface FeedPosition {
  epoch: string;
  position: number;
}

/** A committed change of a workspace. */
export interface WorkspaceEvent {
  workspaceId: string;
  at: string;
  actorId: string;
  /** The names of changed fields of the workspace, "created" or "deleted". */
  fields: string[];
  /** The change of its health, if that is the event; `null` otherwise. */
  health: HealthChange | null;
}

/** One entry of a feed, with the place of its workspace, or the places of the workspaces that it concerns. */
export type FeedEntry =
  | { type: "CHANGESET"; position: number; place: Places; event: ChangesetEvent }
  | { type: "RUN"; position: number; place: Place; event: RunEvent }
  | { type: "WORKSPACE"; position: number; place: Place; event: WorkspaceEvent };
