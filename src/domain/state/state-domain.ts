/** The inputs and reads of states for people and machine users. */
import type { StateDifference } from "../../model/state/state-comparison.ts";
import type { StateResource } from "../../model/state/state-file.ts";
import type { StateVersion } from "../../model/state/state-version.ts";

export interface RollbackStateInput {
  workspaceId: string;
  stateVersionId: string;
  message: string | null;
  idempotencyKey: string | null;
}

/** Two versions of one workspace, and their differences. */
export interface StateComparison extends StateDifference {
  from: StateVersion;
  to: StateVersion;
}

/** The resources of a state that are listed. */
export interface ResourceSelection {
  /** A part of their addresses, in any case; `null`: all. */
  search: string | null;
  /** Only resources behind this position in the file; -1: all. */
  after: number;
  max: number;
}

/** A resource with its position among those of its state, from 0. */
export interface PlacedResource extends StateResource {
  position: number;
}

/** Resources of a state. */
export interface StateResources {
  /** The number of those that match, on all pages. */
  count: number;
  resources: PlacedResource[];
  /** Others that match follow. */
  hasMore: boolean;
}
