/** How a new state becomes the current one of its workspace, whoever brings it. */
import type { Json } from "../../model/plan/plan.ts";
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
import { runSecrets } from "../variables/run-secrets.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { workspaceSecrets } from "../variables/workspace-secrets.ts";
import { discardStale } from "./discard-stale.ts";

/** A state file, as far as Holdpoint reads it. */
export interface StateDocument {
  serial: number;
  lineage: string;
  outputs: Record<string, { value: Json; sensitive: boolean }>;
  /** Data sources are not counted. */
  resourceCount: number;
}

/** What was sent: as it is kept, and as far as Holdpoint reads it. */
export interface SentState {
  state: StateDocument;
  body: Buffer;
}

/** The fields of a workspace that a new state moves. */
export const MOVED_BY_STATE = ["outputs", "currentStateVersion", "stateVersions"];

/** The job of a run, or a person. */
export type StateAuthor =
  | { runId: string; jobId: string; actorId: null }
  | { runId: null; jobId: null; actorId: string };

/**
 * Whether a state follows the one that is kept; false: it is that one. Throws StateRefused where the serial goes back or
 * the lineage is another.
 */
export async function isNewState(reader: Reader, workspaceId: string, { state, body }: SentState): Promise<boolean> {
  const newest = await findNewestState(reader, workspaceId);
  if (newest === null) return true;
  if (state.lineage !== newest.lineage) {
    throw new StateRefused(`The lineage is ${state.lineage}, that of the state that is kept ${newest.lineage}.`);
  }
  if (state.serial === newest.serial && (await blobDigest(reader, newest.blobId)) === digestOf(body)) return false;
  if (state.serial <= newest.serial) {
    throw new StateRefused(`The serial ${state.serial} does not follow ${newest.serial}, which is kept.`);
  }
  return true;
}

/** A state as it is put before the transaction that keeps it. */
export function stateBlob(deps: Pick<Deps, "clock" | "newId">, workspaceId: string, body: Buffer): NewBlob {
  return { id: deps.newId("blob"), kind: "STATE", workspaceId, body, createdAt: deps.clock().toISOString() };
}

/**
 * Keeps a new state, whose bytes are `put`, and discards what waits at a gate for an older one. The workspace's row must
 * be locked.
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
  await insertStateVersion(tx, {
    id: deps.newId("stateVersion"),
    workspaceId,
    serial: state.serial,
    lineage: state.lineage,
    runId: author.runId,
    jobId: author.jobId,
    importedById: author.actorId,
    blobId,
    outputs: shownOutputs(state.outputs, [...ofRun, ...(await workspaceSecrets(tx, deps, workspaceId))]),
    resourceCount: state.resourceCount,
    createdAt,
  });
  await setWorkspaceState(tx, workspaceId, state);
  const actorId = author.actorId ?? SYSTEM_ACTOR_ID;
  await recordWorkspaceChange(tx, deps, { id: workspaceId, organizationId }, actorId, MOVED_BY_STATE);
  await discardStale(tx, deps, workspaceId, state.serial);
}
