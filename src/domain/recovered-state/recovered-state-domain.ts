/** The reads of recovered states and refused requests of runners. */
import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { RecoveredState } from "../../model/state/recovered-state.ts";
import type { RefusedRequest } from "../../model/runner/refused-request.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";

export interface RecoveredStateDecision {
  recoveredStateId: string;
  note: string | null;
}

/** The recovered state after a decision, and its workspace. */
export interface DecidedState {
  recoveredState: RecoveredState;
  workspace: Workspace;
}

export interface RecoveredStateQueries {
  recoveredStates(caller: TokenCaller, ids: readonly string[]): Promise<(RecoveredState | null)[]>;
  /** Returns states that need a decision, newest first. */
  undecidedStatesOfWorkspaces(caller: TokenCaller, workspaceIds: readonly string[]): Promise<RecoveredState[][]>;
  /** Returns all recovered states of each run, oldest first. */
  recoveredStatesOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<RecoveredState[][]>;
  /** Lists refused requests, oldest first; positions are ids. */
  listRefusedRequests(caller: TokenCaller, runId: string, page: PageRequest<number>): Promise<Page<RefusedRequest>>;
  /** Counts refused requests, including those that are not stored. */
  countRefusedRequests(caller: TokenCaller, runIds: readonly string[]): Promise<number[]>;
}
