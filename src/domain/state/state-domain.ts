/** The inputs and reads of states for people and machine users. */
import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { StateDifference } from "../../model/state/state-comparison.ts";
import type { StateResource } from "../../model/state/state-file.ts";
import type { StateReading, StateRollback, StateVersion } from "../../model/state/state-version.ts";
import type { Output } from "../../model/workspace/workspace.ts";

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

/** Reads of states. Files that are too large to parse are refused with TOO_LARGE. */
export interface StateQueries {
  stateVersions(caller: TokenCaller, ids: readonly string[]): Promise<(StateVersion | null)[]>;
  currentStates(caller: TokenCaller, workspaceIds: readonly string[]): Promise<(StateVersion | null)[]>;
  /** Lists versions, newest first; positions are serials. */
  listStateVersions(caller: TokenCaller, workspaceId: string, page: PageRequest<number>): Promise<Page<StateVersion>>;
  stateResources(caller: TokenCaller, version: StateVersion): Promise<StateResources | "TOO_LARGE">;
  /** Compares two versions; `null` if one does not belong to the workspace. */
  compareStates(
    caller: TokenCaller,
    workspaceId: string,
    fromId: string,
    toId: string,
  ): Promise<StateComparison | "TOO_LARGE" | null>;
  /** Returns outputs by version; sensitive values are `null`. */
  stateOutputs(caller: TokenCaller, versionIds: readonly string[]): Promise<Output[][]>;
  /** Returns the recent readers of each version, newest first. */
  stateReadings(caller: TokenCaller, versionIds: readonly string[]): Promise<StateReading[][]>;
  /** Returns the state that each run restores; `null` for a run that is no rollback of a state. */
  stateRollbacks(caller: TokenCaller, runIds: readonly string[]): Promise<(StateRollback | null)[]>;
}
