import type { Transaction } from "../../persistence/database.ts";
import { appendWorkspaceEvent } from "../../persistence/workspace-event-store.ts";
import type { Deps } from "../deps.ts";

/** Tells that a workspace changed. `fields`: the names of the fields of Workspace, or "created". */
export async function workspaceChanged(
  tx: Transaction,
  deps: Pick<Deps, "clock">,
  workspace: { id: string; organizationId: string },
  actorId: string,
  fields: string[],
): Promise<void> {
  const at = deps.clock().toISOString();
  await appendWorkspaceEvent(tx, workspace.organizationId, { workspaceId: workspace.id, at, actorId, fields });
}
