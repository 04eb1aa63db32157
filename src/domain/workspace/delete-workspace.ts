import type { TokenCaller } from "../../model/people/permission.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findLiveRun } from "../../persistence/run/run-store.ts";
import { findNewestState, findStateLocks } from "../../persistence/state/state-store.ts";
import { deleteWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { workspaceLocked } from "../kit/workspace-locked.ts";
import type { Commands } from "../domain.ts";
import { commandWorkspace } from "./workspace-command.ts";
import { workspaceChanged } from "../lifecycle/workspace-changed.ts";

/**
 * Deletes a workspace: from now on nobody finds it, nor its runs, and its name is free. Its rows and its state stay in
 * the database. Refused while a run is live or a lock stands, also a person's on the state; with resources in the state
 * only by force, because nothing knows of them afterwards.
 */
export function deleteWorkspace(
  deps: Deps,
  caller: TokenCaller,
  input: Parameters<Commands["deleteWorkspace"]>[1],
): Promise<string> {
  const { workspaceId, force } = input;
  const spec = {
    name: "deleteWorkspace",
    permission: "workspace:delete",
    words: "deleting workspaces",
    workspaceId,
  } as const;
  return commandWorkspace(deps, caller, spec, async (tx, workspace) => {
    await refuseInUse(tx, workspace);
    const state = force ? null : await findNewestState(tx, workspaceId);
    if (state !== null && state.resourceCount !== 0) throw stillHas(state.resourceCount);
    await deleteWorkspaceRow(tx, workspaceId, deps.clock().toISOString());
    await workspaceChanged(tx, deps, workspace, caller.actor.id, ["deleted"]);
    return workspaceId;
  });
}

function stillHas(resourceCount: number | null): UserError {
  const what = resourceCount === 1 ? "1 resource" : `${resourceCount ?? "some"} resources`;
  return invalidField("force", `must be true: the state still has ${what}, which nothing would know of any more.`);
}

async function refuseInUse(tx: Transaction, workspace: Workspace): Promise<void> {
  const run = await findLiveRun(tx, workspace.id);
  if (run !== null) {
    const message = `Run ${run.number} is ${run.status}; cancel it, or wait for its end.`;
    throw new UserError("RUN_STATE_CONFLICT", message, { runId: run.id });
  }
  if (workspace.lock !== null) {
    throw await workspaceLocked(tx, workspace, workspace.lock, "Unlock it first.");
  }
  const [held = null] = await findStateLocks(tx, [workspace.id]);
  // What a job left that is over is in nobody's way.
  if (held !== null && held.actorId !== null) {
    const who = held.info["Who"] ?? "somebody";
    throw invalidField("workspaceId", `must have no lock on its state: ${who} may be about to write it.`);
  }
}
