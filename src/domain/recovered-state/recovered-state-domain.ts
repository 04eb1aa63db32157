/** The reads of recovered states and refused requests of runners. */
import type { RecoveredState } from "../../model/state/recovered-state.ts";
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
