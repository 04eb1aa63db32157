/** What can be done with states by those who are no runner. */
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

/** Two versions of one workspace, and what differs. */
export interface StateComparison extends StateDifference {
  from: StateVersion;
  to: StateVersion;
}

/** The resources of a state. */
export interface StateResources {
  /** How many there are; the list may have fewer. */
  count: number;
  resources: StateResource[];
}

/** Files that are too large to be looked into are answered with TOO_LARGE. */
export interface StateQueries {
  stateVersions(caller: TokenCaller, ids: readonly string[]): Promise<(StateVersion | null)[]>;
  currentStates(caller: TokenCaller, workspaceIds: readonly string[]): Promise<(StateVersion | null)[]>;
  /** Newest first; positions are serials. */
  listStateVersions(caller: TokenCaller, workspaceId: string, page: PageRequest<number>): Promise<Page<StateVersion>>;
  stateResources(caller: TokenCaller, version: StateVersion): Promise<StateResources | "TOO_LARGE">;
  /** null where a version is none of this workspace. */
  compareStates(
    caller: TokenCaller,
    workspaceId: string,
    fromId: string,
    toId: string,
  ): Promise<StateComparison | "TOO_LARGE" | null>;
  /** By version; sensitive values are null. */
  stateOutputs(caller: TokenCaller, versionIds: readonly string[]): Promise<Output[][]>;
  /** Who took each version lately, newest first. */
  stateReadings(caller: TokenCaller, versionIds: readonly string[]): Promise<StateReading[][]>;
  /** What each of these runs brings back; null for one that brings no state back. */
  stateRollbacks(caller: TokenCaller, runIds: readonly string[]): Promise<(StateRollback | null)[]>;
}
