/** The engine's state and its lock, on behalf of a job. */
import { type JobCaller } from "../../model/permission.ts";
import type { Json } from "../../model/plan.ts";
import { secretTexts } from "../../model/secret-texts.ts";
import { SYSTEM_ACTOR_ID } from "../../model/actor.ts";
import { blobDigest, digestOf, insertBlob, readBlob } from "../../persistence/blob-store.ts";
import type { Transaction } from "../../persistence/database.ts";
import { findJob, type JobRow } from "../../persistence/job-store.ts";
import { findRun, listRunsAtGate } from "../../persistence/run-store.ts";
import {
  findNewestState,
  findStateLocks,
  insertStateVersion,
  releaseStateLock,
  takeStateLock,
} from "../../persistence/state-store.ts";
import { lockWorkspaceRow, setWorkspaceState } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import { lockForChange } from "../run/locked-run.ts";
import { mustAccept, writeChange } from "../run/run-change.ts";
import { readRunVariables } from "../run/run-variables.ts";
import { workspaceSecrets } from "../workspace/workspace-secrets.ts";
import { workspaceChanged } from "../workspace/workspace-changed.ts";
import { authorizeJob, useLiveJob } from "./job-access.ts";
import { JobError, jobOver } from "./job-error.ts";
import { shownOutputs } from "./shown-outputs.ts";

/** The engine's LockInfo; `ID` is the lock's id. */
export type LockInfo = Record<string, string> & { ID: string };

/** A state file, as far as Holdpoint reads it. */
export interface StateDocument {
  serial: number;
  lineage: string;
  outputs: Record<string, { value: Json; sensitive: boolean }>;
  /** Data sources are not counted. */
  resourceCount: number;
}

/** null where the workspace has no state yet. */
export async function readState(deps: Deps, caller: JobCaller): Promise<AsyncIterable<Buffer> | null> {
  authorizeJob(caller, "state:read");
  const job = await findJob(deps.database, caller.jobId);
  if (job === null || job.endedAt !== null) throw jobOver();
  const state = await findNewestState(deps.database, job.workspaceId);
  return state === null ? null : readBlob(deps.database, deps.cipher, state.blobId);
}

/** Takes the lock, or gives the info of whoever has it. The same lock again is taken as said. */
export function lockState(deps: Deps, caller: JobCaller, info: LockInfo): Promise<{ holder: LockInfo | null }> {
  authorizeJob(caller, "state:lock");
  return deps.database.transaction(async (tx) => {
    const job = await useLiveJob(tx, caller);
    const lock = await takeStateLock(tx, {
      workspaceId: job.workspaceId,
      lockId: info.ID,
      info,
      runId: job.runId,
      jobId: job.id,
      since: deps.clock().toISOString(),
    });
    const own = lock.jobId === job.id && lock.lockId === info.ID;
    return { holder: own ? null : { ...lock.info, ID: lock.lockId } };
  });
}

/** Releases the job's own lock; gives the info of the holder where it is another's. */
export function unlockState(deps: Deps, caller: JobCaller, lockId: string): Promise<{ holder: LockInfo | null }> {
  authorizeJob(caller, "state:lock");
  return deps.database.transaction(async (tx) => {
    const job = await useLiveJob(tx, caller);
    const [lock = null] = await findStateLocks(tx, [job.workspaceId]);
    if (lock === null) return { holder: null };
    if (lock.jobId !== job.id || lock.lockId !== lockId) return { holder: { ...lock.info, ID: lock.lockId } };
    await releaseStateLock(tx, job.workspaceId, job.id);
    return { holder: null };
  });
}

/**
 * Keeps a new version of the state. Throws OUT_OF_ORDER before the run applies or performs, as until then it can be
 * taken up anew, STATE_LOCKED without the lock, STATE_REFUSED where the serial goes back or the lineage is another. The
 * same state again is taken as said.
 */
export function writeState(
  deps: Deps,
  caller: JobCaller,
  lockId: string,
  state: StateDocument,
  body: Buffer,
): Promise<void> {
  authorizeJob(caller, "state:write");
  return deps.database.transaction(async (tx) => {
    const found = await findJob(tx, caller.jobId);
    if (found === null) throw jobOver();
    // The workspace's row comes before the job's, as everywhere.
    await lockWorkspaceRow(tx, found.workspaceId);
    const job = await useLiveJob(tx, caller);
    const run = await findRun(tx, job.runId);
    if (run?.status !== "APPLYING" && run?.status !== "PERFORMING") {
      throw new JobError("OUT_OF_ORDER", `The state cannot be written while the run is ${run?.status ?? "gone"}.`);
    }
    const [lock = null] = await findStateLocks(tx, [job.workspaceId]);
    if (lock === null || lock.jobId !== job.id || lock.lockId !== lockId) {
      throw new JobError("STATE_LOCKED", "The state can only be written under its lock.");
    }
    if (await isNewer(tx, job, state, body)) await insertVersion(tx, deps, job, state, body);
  });
}

async function isNewer(tx: Transaction, job: JobRow, state: StateDocument, body: Buffer): Promise<boolean> {
  const newest = await findNewestState(tx, job.workspaceId);
  if (newest === null) return true;
  if (state.lineage !== newest.lineage) {
    throw new JobError("STATE_REFUSED", `The lineage is ${state.lineage}, that of the stored state ${newest.lineage}.`);
  }
  if (state.serial === newest.serial && (await blobDigest(tx, newest.blobId)) === digestOf(body)) return false;
  if (state.serial <= newest.serial) {
    throw new JobError("STATE_REFUSED", `The serial ${state.serial} does not follow ${newest.serial}.`);
  }
  return true;
}

async function insertVersion(
  tx: Transaction,
  deps: Deps,
  job: JobRow,
  state: StateDocument,
  body: Buffer,
): Promise<void> {
  const blobId = deps.newId("blob");
  const createdAt = deps.clock().toISOString();
  await insertBlob(tx, deps.cipher, { id: blobId, kind: "STATE", workspaceId: job.workspaceId, body, createdAt });
  await insertStateVersion(tx, {
    id: deps.newId("stateVersion"),
    workspaceId: job.workspaceId,
    serial: state.serial,
    lineage: state.lineage,
    runId: job.runId,
    jobId: job.id,
    importedById: null,
    blobId,
    outputs: shownOutputs(state.outputs, [
      ...secretTexts(await readRunVariables(tx, deps, job.runId)),
      ...(await workspaceSecrets(tx, deps, job.workspaceId)),
    ]),
    resourceCount: state.resourceCount,
    createdAt,
  });
  await setWorkspaceState(tx, job.workspaceId, state);
  const { workspaceId: id, organizationId } = job;
  await workspaceChanged(tx, deps, { id, organizationId }, SYSTEM_ACTOR_ID, ["outputs"]);
  await discardStale(tx, deps, job.workspaceId, state.serial);
}

/** Plans of an older state can no longer be approved. */
async function discardStale(tx: Transaction, deps: Deps, workspaceId: string, serial: number): Promise<void> {
  for (const runId of await listRunsAtGate(tx, workspaceId)) {
    const locked = await lockForChange(tx, deps, runId);
    if (locked === null || (locked.plan?.stateSerial ?? serial) >= serial) continue;
    await writeChange(tx, deps, locked, mustAccept(locked, { type: "discard", planVersion: null }), {
      actorId: SYSTEM_ACTOR_ID,
      reason: `The state moved to serial ${serial} after the plan was made.`,
    });
  }
}
