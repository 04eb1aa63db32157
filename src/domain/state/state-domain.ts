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

/** The resources of a state. */
export interface StateResources {
  /** The total number; the list may be shorter. */
  count: number;
  resources: StateResource[];
}
