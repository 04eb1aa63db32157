/** Makes a new state the current one of its workspace, for every kind of writer. */
import type { Json } from "../../model/plan/json.ts";
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { StateRefused } from "../../model/state/state-refused.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import { blobDigest, digestOf, type NewBlob } from "../../persistence/blob/blob-store.ts";
import type { PutBlob } from "../../persistence/blob/blobs.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { findNewestState, insertStateVersion } from "../../persistence/state/state-store.ts";
import { setWorkspaceState } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { shownOutputs } from "./shown-outputs.ts";
import { sealSecretOutputs } from "../variables/secret-outputs.ts";
import { runSecrets } from "../variables/run-secrets.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { workspaceSecrets } from "../variables/workspace-secrets.ts";
import { discardStale } from "./discard-stale.ts";

/** The fields of a state file that Holdpoint uses. */
export interface StateDocument {
  serial: number;
  lineage: string;
  outputs: Record<string, { value: Json; sensitive: boolean }>;
  /** Excludes data sources. */
  resourceCount: number;
}

/** A state as it was sent, and its parsed fields. */
export interface SentState {
  state: StateDocument;
  body: Buffer;
}

/** The fields of a workspace that a new state changes. */
export const CHANGED_BY_STATE = ["outputs", "currentStateVersion", "stateVersions"];

/** The job of a run, or a person. */
export type StateAuthor =
  | { runId: string; jobId: string; actorId: null }
  | { runId: null; jobId: null; actorId: string };

/**
 * Whether the state follows the stored one; `false` if it is the stored one. Throws StateRefused if the serial
 * decreases or the lineage differs.
 */
export async function isNewState(reader: Reader, workspaceId: string, { state, body }: SentState): Promise<boolean> {
  const newest = await findNewestState(reader, workspaceId);
  if (newest === null) return true;
  if (state.lineage !== newest.lineage) {
    throw new StateRefused(
      `The lineage is ${state.lineage}, but the stored state has ${newest.lineage}. Send a state of that lineage.`,
    );
  }
  if (state.serial === newest.serial && (await blobDigest(reader, newest.blobId)) === digestOf(body)) return false;
  if (state.serial <= newest.serial) {
    throw new StateRefused(
      `The serial ${state.serial} does not follow the stored serial ${newest.serial}. Read the current state first.`,
    );
  }
  return true;
}

/** Builds the blob of a state, which is uploaded before the transaction. */
export function stateBlob(deps: Pick<Deps, "clock" | "newId">, workspaceId: string, body: Buffer): NewBlob {
  return { id: deps.newId("blob"), kind: "STATE", workspaceId, body, createdAt: deps.clock().toISOString() };
}

/**
 * Stores a new state with the uploaded bytes `put`, and discards runs at gates that were planned from an older one. The
 * workspace's row must be locked.
 */
export async function keepState(
  tx: Transaction,
  deps: Deps,
  workspace: Pick<Workspace, "id" | "organizationId">,
  author: StateAuthor,
  state: StateDocument,
  put: PutBlob,
): Promise<void> {
  const { id: workspaceId, organizationId } = workspace;
  const { id: blobId, createdAt } = put.blob;
  await deps.blobs.insert(tx, put);
  const ofRun = author.runId === null ? [] : await runSecrets(tx, deps, author.runId);
  const id = deps.newId("stateVersion");
  const outputs = shownOutputs(state.outputs, [...ofRun, ...(await workspaceSecrets(tx, deps, workspaceId))]);
  await insertStateVersion(tx, {
    id,
    workspaceId,
    serial: state.serial,
    lineage: state.lineage,
    runId: author.runId,
    jobId: author.jobId,
    importedById: author.actorId,
    blobId,
    outputs,
    secretOutputsSealed: sealSecretOutputs(deps, id, state.outputs, outputs),
    resourceCount: state.resourceCount,
    createdAt,
  });
  await setWorkspaceState(tx, workspaceId, state);
  const actorId = author.actorId ?? SYSTEM_ACTOR_ID;
  await recordWorkspaceChange(tx, deps, { id: workspaceId, organizationId }, actorId, CHANGED_BY_STATE);
  await discardStale(tx, deps, workspaceId, state.serial);
}
