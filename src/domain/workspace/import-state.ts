import { can, type TokenCaller } from "../../model/permission.ts";
import { StateRefused } from "../../model/state-refused.ts";
import { notFound, UserError } from "../../model/user-error.ts";
import type { Workspace } from "../../model/workspace.ts";
import { blobDigest, digestOf, insertBlob } from "../../persistence/blob-store.ts";
import type { Transaction } from "../../persistence/database.ts";
import { findLiveRun } from "../../persistence/run-store.ts";
import { findNewestState, insertStateVersion } from "../../persistence/state-store.ts";
import { lockKeptWorkspace, setWorkspaceState } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import { authorize, recorded } from "../guard.ts";
import { shownOutputs } from "../job/shown-outputs.ts";
import type { StateDocument } from "../job/state.ts";
import { asOf } from "../run/locked-run.ts";
import { lookUpWorkspace } from "./look-up-workspace.ts";
import { workspaceChanged } from "./workspace-changed.ts";
import { workspaceSecrets } from "./workspace-secrets.ts";

/** What was sent: as it is kept, and as far as Holdpoint reads it. */
export interface SentState {
  state: StateDocument;
  body: Buffer;
}

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
  return recorded(deps, caller, "importState", workspaceId, async () => {
    const found = await lookUpWorkspace(deps.database, workspaceId);
    if (found === null || !can(caller, "workspace:read")) throw notFound("workspace");
    authorize(caller, "state:import", "bringing a state");
    const sent = await read();
    return deps.database.transaction(async (tx) => {
      const workspace = await lockKeptWorkspace(tx, workspaceId);
      if (workspace === null) throw notFound("workspace");
      await checkIdle(tx, caller, asOf(workspace, deps.clock()));
      const { serial, lineage } = sent.state;
      if (!(await isNew(tx, workspace.id, sent))) return { serial, lineage, created: false };
      await insert(tx, deps, caller, workspace, sent);
      return { serial, lineage, created: true };
    });
  });
}

async function checkIdle(tx: Transaction, caller: TokenCaller, { id, lock }: Workspace): Promise<void> {
  const run = await findLiveRun(tx, id);
  if (run !== null) {
    const message = `Run ${run.number} is ${run.status}: a state can be brought when no run is live.`;
    throw new UserError("RUN_STATE_CONFLICT", message, { runId: run.id });
  }
  if (lock?.reason === "MANUAL" && lock.actorId !== caller.actor.id) {
    throw new UserError("WORKSPACE_LOCKED", "Somebody else locked the workspace.", { workspaceId: id });
  }
}

async function isNew(tx: Transaction, workspaceId: string, { state, body }: SentState): Promise<boolean> {
  const newest = await findNewestState(tx, workspaceId);
  if (newest === null) return true;
  if (state.lineage !== newest.lineage) {
    throw new StateRefused(`The lineage is ${state.lineage}, that of the state that is kept ${newest.lineage}.`);
  }
  if (state.serial === newest.serial && (await blobDigest(tx, newest.blobId)) === digestOf(body)) return false;
  if (state.serial <= newest.serial) {
    throw new StateRefused(`The serial ${state.serial} does not follow ${newest.serial}, which is kept.`);
  }
  return true;
}

async function insert(
  tx: Transaction,
  deps: Deps,
  caller: TokenCaller,
  workspace: Workspace,
  { state, body }: SentState,
): Promise<void> {
  const blobId = deps.newId("blob");
  const createdAt = deps.clock().toISOString();
  await insertBlob(tx, deps.cipher, { id: blobId, kind: "STATE", workspaceId: workspace.id, body, createdAt });
  await insertStateVersion(tx, {
    id: deps.newId("stateVersion"),
    workspaceId: workspace.id,
    serial: state.serial,
    lineage: state.lineage,
    runId: null,
    jobId: null,
    importedById: caller.actor.id,
    blobId,
    outputs: shownOutputs(state.outputs, await workspaceSecrets(tx, deps, workspace.id)),
    resourceCount: state.resourceCount,
    createdAt,
  });
  await setWorkspaceState(tx, workspace.id, state);
  await workspaceChanged(tx, deps, workspace, caller.actor.id, ["outputs"]);
}
