import type { ActorCaller } from "../../model/people/permission.ts";
import { refuseImport } from "../../model/workspace/workspace-use.ts";
import { getWorkspaceUse } from "../../persistence/workspace/workspace-use-store.ts";
import type { Deps } from "../kit/deps.ts";
import { isNewState, keepState, type SentState, stateBlob } from "./keep-state.ts";
import { commandWorkspaceInSteps, relockWorkspace } from "../workspace/workspace-command.ts";
import { throwRefusal } from "../workspace/workspace-refusal.ts";

/** `created`: `false` if the same state was stored already. */
export interface ImportedState {
  serial: number;
  lineage: string;
  created: boolean;
}

/**
 * Imports a state that was made elsewhere. `read` is called only if the caller may import.
 *
 * Throws RUN_STATE_CONFLICT while a run is live, WORKSPACE_LOCKED under another person's lock, and StateRefused if the
 * workspace has a state that this one does not follow.
 */
export function importState(
  deps: Deps,
  caller: ActorCaller,
  workspaceId: string,
  read: () => Promise<SentState>,
): Promise<ImportedState> {
  const about = { name: "importState", workspaceId, presence: "ALWAYS" } as const;
  const demand = { permission: "STATE_WRITE", words: "importing a state" } as const;
  return commandWorkspaceInSteps(deps, caller, { ...demand, ...about }, async () => {
    const sent = await read();
    return deps.blobs.bring(stateBlob(deps, workspaceId, sent.body), (put) =>
      deps.database.transaction(async (tx) => {
        const workspace = await relockWorkspace(tx, deps, caller, demand, workspaceId);
        const use = await getWorkspaceUse(tx, workspaceId);
        throwRefusal(refuseImport(workspace.lock, use, caller.actor.id), workspaceId);
        const { serial, lineage } = sent.state;
        if (!(await isNewState(tx, workspace.id, sent))) return { serial, lineage, created: false };
        const author = { runId: null, jobId: null, actorId: caller.actor.id };
        await keepState(tx, deps, workspace, author, sent.state, put);
        return { serial, lineage, created: true };
      }),
    );
  });
}
