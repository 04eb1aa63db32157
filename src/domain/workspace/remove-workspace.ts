import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { revokeGrantsOfScope } from "../../persistence/people/grant-store.ts";
import { deleteWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

/** Marks a workspace as deleted, and ends its grants. Its row must be locked. */
export async function removeWorkspace(
  tx: Transaction,
  deps: Deps,
  workspace: Workspace,
  actorId: string,
): Promise<void> {
  const at = deps.clock().toISOString();
  await deleteWorkspaceRow(tx, workspace.id, at);
  await revokeGrantsOfScope(tx, workspace.id, { at, byId: actorId });
  await recordWorkspaceChange(tx, deps, workspace, actorId, ["deleted"]);
}
