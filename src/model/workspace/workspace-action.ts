import type { UserErrorCode } from "../kit/user-error.ts";

/** The actions of a workspace. */
export const WORKSPACE_ACTIONS = [
  "CREATE_RUN",
  "CREATE_PLAN",
  "CREATE_DESTROY",
  "CREATE_TASK",
  "CREATE_UNLOCK",
  "PAUSE",
  "RESUME",
  "LOCK",
  "UNLOCK",
  "FORCE_UNLOCK",
  "UPDATE",
  "UPDATE_GATES",
  "UPDATE_HOOKS",
  "UPDATE_RUNNER",
  "SET_VARIABLE",
  "IMPORT_STATE",
  "ROLLBACK_STATE",
  "FORCE_UNLOCK_STATE",
  "DELETE",
] as const;
export type WorkspaceAction = (typeof WORKSPACE_ACTIONS)[number];

/** Whether a caller may take an action now. */
export interface WorkspaceActionAvailability {
  action: WorkspaceAction;
  allowed: boolean;
  /** `null` if it is allowed, or there is nothing to do. */
  code: UserErrorCode | null;
  reason: string | null;
}
