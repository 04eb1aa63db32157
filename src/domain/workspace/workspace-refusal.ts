import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { WorkspaceRefusal } from "../../model/workspace/workspace-use.ts";

/** Builds the error of a refused command about a workspace. */
export function refusalError(refusal: WorkspaceRefusal, workspaceId: string): UserError {
  switch (refusal.code) {
    case "INVALID_INPUT":
      return invalidField(refusal.field, refusal.reason);
    case "RUN_STATE_CONFLICT":
      return new UserError(refusal.code, refusal.reason, { runId: refusal.runId });
    case "WORKSPACE_LOCKED":
      return new UserError(refusal.code, refusal.reason, { workspaceId });
  }
}

/** Throws the error of a refusal, if there is one. */
export function throwRefusal(refusal: WorkspaceRefusal | null, workspaceId: string): void {
  if (refusal !== null) throw refusalError(refusal, workspaceId);
}
