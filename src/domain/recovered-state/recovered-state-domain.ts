/** What can be done and read about states that came too late, and about requests that were refused. */
import type { Page, PageRequest } from "../../model/kit/page.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import type { RecoveredState } from "../../model/state/recovered-state.ts";
import type { RefusedRequest } from "../../model/runner/refused-request.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";

export interface RecoveredStateDecision {
  recoveredStateId: string;
  note: string | null;
}

/** What a decision leaves: the state with it, and its workspace. */
export interface DecidedState {
  recoveredState: RecoveredState;
  workspace: Workspace;
}

export interface RecoveredStateQueries {
  recoveredStates(caller: TokenCaller, ids: readonly string[]): Promise<(RecoveredState | null)[]>;
  /** Those that wait for a decision, newest first. */
  undecidedStatesOfWorkspaces(caller: TokenCaller, workspaceIds: readonly string[]): Promise<RecoveredState[][]>;
  /** All of them, oldest first. */
  recoveredStatesOfRuns(caller: TokenCaller, runIds: readonly string[]): Promise<RecoveredState[][]>;
  /** Oldest first; positions are ids. */
  listRefusedRequests(caller: TokenCaller, runId: string, page: PageRequest<number>): Promise<Page<RefusedRequest>>;
  /** Also those that are not kept. */
  countRefusedRequests(caller: TokenCaller, runIds: readonly string[]): Promise<number[]>;
}
