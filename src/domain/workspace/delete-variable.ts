import type { VariableCategory } from "../../model/workspace/workspace.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { notFound } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { deleteVariableRow } from "../../persistence/workspace/variable-store.ts";
import type { Deps } from "../kit/deps.ts";
import { isStorable } from "../kit/input.ts";
import { commandWorkspace } from "./workspace-command.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { retireSecret } from "../variables/workspace-secrets.ts";

export interface DeleteVariableInput {
  workspaceId: string;
  key: string;
  category: VariableCategory;
}

/** Deletes a variable. Existing runs keep it. */
export function deleteVariable(deps: Deps, caller: ActorCaller, input: DeleteVariableInput): Promise<Workspace> {
  const { workspaceId, key, category } = input;
  const spec = {
    name: "deleteVariable",
    permission: "VARIABLE_WRITE",
    words: "deleting variables",
    workspaceId,
  } as const;
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    if (!isStorable(key)) throw notFound("variable");
    await retireSecret(tx, deps, workspaceId, { key, category }, null);
    if (!(await deleteVariableRow(tx, workspaceId, { key, category }))) throw notFound("variable");
    await recordWorkspaceChange(tx, deps, workspace, caller.actor.id, ["variables"]);
    return workspace;
  });
}
