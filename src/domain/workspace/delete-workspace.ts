import type { ActorCaller } from "../../model/people/permission.ts";
import { refuseDeletion } from "../../model/workspace/workspace-use.ts";
import { revokeGrantsOfScope } from "../../persistence/people/grant-store.ts";
import { deleteWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import { getWorkspaceUse } from "../../persistence/workspace/workspace-use-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandWorkspace } from "./workspace-command.ts";
import { throwRefusal } from "./workspace-refusal.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

export interface DeleteWorkspaceInput {
  workspaceId: string;
  force: boolean;
}

/**
 * Deletes a workspace: it and its runs are no longer found, and its name is free. Its rows and its state stay in the
 * database.
 *
 * Refused while a run is live, or the workspace or its state is locked. Refused with resources in the state, unless
 * `force`: nothing manages them afterwards.
 */
export function deleteWorkspace(deps: Deps, caller: ActorCaller, input: DeleteWorkspaceInput): Promise<string> {
  const { workspaceId, force } = input;
  const spec = {
    name: "deleteWorkspace",
    presence: "ALWAYS",
    permission: "WORKSPACE_DELETE",
    words: "deleting workspaces",
    workspaceId,
  } as const;
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    throwRefusal(refuseDeletion(workspace.lock, await getWorkspaceUse(tx, workspaceId), force), workspaceId);
    const at = deps.clock().toISOString();
    await deleteWorkspaceRow(tx, workspaceId, at);
    await revokeGrantsOfScope(tx, workspaceId, { at, byId: caller.actor.id });
    await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["deleted"]);
    return workspaceId;
  });
}
