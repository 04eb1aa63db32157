import type { TokenCaller } from "../../model/people/permission.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findLiveRun } from "../../persistence/run/run-store.ts";
import { findStateLocks } from "../../persistence/state/state-store.ts";
import type { Deps } from "../kit/deps.ts";
import { workspaceLocked } from "../kit/workspace-locked.ts";
import { isNewState, keepState, type SentState, stateBlob } from "./keep-state.ts";
import { commandWorkspaceInSteps, relockWorkspace } from "../workspace/workspace-command.ts";

/** `created` false: the same state was there already. */
export interface ImportedState {
  serial: number;
  lineage: string;
  created: boolean;
}

/**
 * Takes over a state that was made elsewhere. Throws RUN_STATE_CONFLICT while a run is live, WORKSPACE_LOCKED under
 * somebody else's lock, StateRefused where the workspace has a state that this one does not follow. `read` is asked
 * only when the caller may do this.
 */
export function importState(
  deps: Deps,
  caller: TokenCaller,
  workspaceId: string,
  read: () => Promise<SentState>,
): Promise<ImportedState> {
  const demand = { permission: "state:import", words: "bringing a state" } as const;
  return commandWorkspaceInSteps(deps, caller, { ...demand, name: "importState", workspaceId }, async () => {
    const sent = await read();
    return deps.blobs.bring(stateBlob(deps, workspaceId, sent.body), (put) =>
      deps.database.transaction(async (tx) => {
        const workspace = await relockWorkspace(tx, deps, caller, demand, workspaceId);
        await checkIdle(tx, caller, workspace);
        const { serial, lineage } = sent.state;
        if (!(await isNewState(tx, workspace.id, sent))) return { serial, lineage, created: false };
        const author = { runId: null, jobId: null, actorId: caller.actor.id };
        await keepState(tx, deps, workspace, author, sent.state, put);
        return { serial, lineage, created: true };
      }),
    );
  });
}

async function checkIdle(tx: Transaction, caller: TokenCaller, workspace: Workspace): Promise<void> {
  const { id, lock } = workspace;
  const run = await findLiveRun(tx, id);
  if (run !== null) {
    const message = `Run ${run.number} is ${run.status}: a state can be brought when no run is live.`;
    throw new UserError("RUN_STATE_CONFLICT", message, { runId: run.id });
  }
  if (lock?.reason === "MANUAL" && lock.actorId !== caller.actor.id) {
    throw await workspaceLocked(tx, workspace, lock, "A state can be brought when it is unlocked.");
  }
  const [held = null] = await findStateLocks(tx, [id]);
  // What a job left that is over is no reason: whoever brings a state may be about to mend that.
  if (held !== null && held.actorId !== null) {
    const message = `The state is locked by ${held.info["Who"] ?? "somebody"}, whose engine may be about to write it.`;
    throw new UserError("WORKSPACE_LOCKED", message, { workspaceId: id });
  }
}
