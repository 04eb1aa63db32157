import type { ActorCaller } from "../../model/people/permission.ts";
import { refuseDeletion } from "../../model/workspace/workspace-use.ts";
import { getWorkspaceUse } from "../../persistence/workspace/workspace-use-store.ts";
import { listDependentIds } from "../../persistence/dependency/dependency-store.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findWorkspaces } from "../../persistence/workspace/workspace-store.ts";
import { nameWorkspaces } from "../access/name-workspaces.ts";
import type { Deps } from "../kit/deps.ts";
import { commandWorkspace } from "./workspace-command.ts";
import { removeWorkspace } from "./remove-workspace.ts";
import { throwRefusal } from "./workspace-refusal.ts";

export interface DeleteWorkspaceInput {
  workspaceId: string;
  force: boolean;
}

/**
 * Deletes a workspace: it and its runs are no longer found, and its name is free. Its rows and its state stay in the
 * database.
 *
 * Refused while a run is live, others depend on it, or the workspace or its state is locked. Refused with resources in the
 * state, unless `force`: nothing manages them afterwards.
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
    await refuseWithDependents(tx, caller, workspaceId);
    await removeWorkspace(tx, deps, workspace, caller.actor.id);
    return workspaceId;
  });
}

async function refuseWithDependents(tx: Transaction, caller: ActorCaller, workspaceId: string): Promise<void> {
  const ids = await listDependentIds(tx, [workspaceId]);
  if (ids.length === 0) return;
  const dependents = (await findWorkspaces(tx, ids)).filter((one) => one !== null);
  const names = nameWorkspaces(caller, dependents);
  throw invalidField("workspaceId", `must have no dependents; change the dependencies of these first: ${names}.`);
}
