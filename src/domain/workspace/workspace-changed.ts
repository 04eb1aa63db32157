import { movedFields } from "../../model/moved-fields.ts";
import type { Run } from "../../model/run.ts";
import type { Transaction } from "../../persistence/database.ts";
import { appendWorkspaceEvent } from "../../persistence/workspace-event-store.ts";
import type { Deps } from "../deps.ts";

/** Tells that a workspace changed. `fields`: the names of the fields of Workspace, "created" or "deleted". */
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

/** Tells what of its workspace a run has moved; `before` is null for a new run. */
export async function runMoved(
  tx: Transaction,
  deps: Pick<Deps, "clock">,
  before: Run | null,
  { workspaceId, organizationId, ...after }: Run,
  actorId: string,
): Promise<void> {
  const fields = movedFields(before, after);
  if (fields.length > 0) await workspaceChanged(tx, deps, { id: workspaceId, organizationId }, actorId, fields);
}
