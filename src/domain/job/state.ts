/** Reads, locks and writes the engine's state on behalf of a job. */
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import { type JobCaller } from "../../model/people/permission.ts";
import { StateRefused } from "../../model/state/state-refused.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findJob, type JobRow } from "../../persistence/dispatch/job-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import {
  findNewestState,
  findStateLocks,
  releaseStateLock,
  takeStateLock,
} from "../../persistence/state/state-store.ts";
import { findStateRollbacks } from "../../persistence/state/state-version-store.ts";
import { lockWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { isNewState, keepState, stateBlob, type StateDocument } from "../state/keep-state.ts";
import { authorizeJob, useLiveJob } from "./job-access.ts";
import { JobError, jobOver } from "./job-error.ts";

/** The engine's LockInfo; `ID` is the id of the lock. */
export type LockInfo = Record<string, string> & { ID: string };

/** Reads the newest state; `null` if the workspace has none yet. */
export async function readState(deps: Deps, caller: JobCaller): Promise<AsyncIterable<Buffer> | null> {
  authorizeJob(caller, "state:read");
  const job = await findJob(deps.database, caller.jobId);
  if (job === null || job.endedAt !== null) throw jobOver();
  const state = await findNewestState(deps.database, job.workspaceId);
  return state === null ? null : deps.blobs.read(state.blobId);
}

/**
 * Takes the state lock, or returns the LockInfo of the current holder. Repeating it with the same lock succeeds. Throws
 * STATE_REFUSED for a rollback if the state changed since the approval.
 */
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
      actorId: null,
      since: deps.clock().toISOString(),
    });
    const own = lock.jobId === job.id && lock.lockId === info.ID;
    // The state cannot change from here on.
    if (own) await checkReplaced(tx, job);
    return { holder: own ? null : { ...lock.info, ID: lock.lockId } };
  });
}

/** Releases the job's own lock. If another holds the lock, returns its LockInfo and changes nothing. */
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
 * Stores a new version of the state. Repeating it with the same state succeeds.
 *
 * Throws OUT_OF_ORDER before the run applies or performs, STATE_LOCKED without the lock, and STATE_REFUSED if the
 * serial decreases or the lineage differs.
 */
export async function writeState(
  deps: Deps,
  caller: JobCaller,
  lockId: string,
  state: StateDocument,
  body: Buffer,
): Promise<void> {
  authorizeJob(caller, "state:write");
  const found = await findJob(deps.database, caller.jobId);
  if (found === null || found.endedAt !== null) throw jobOver();
  await deps.blobs.bring(stateBlob(deps, found.workspaceId, body), (put) =>
    deps.database.transaction(async (tx) => {
      // Lock order: the workspace before the job.
      await lockWorkspaceRow(tx, found.workspaceId);
      const job = await useLiveJob(tx, caller);
      const run = await findRun(tx, job.runId);
      if (run === null || !STATUS_TRAITS[run.status].changesInfrastructure) {
        throw new JobError("OUT_OF_ORDER", `The state cannot be written while the run is ${run?.status ?? "gone"}.`);
      }
      const [lock = null] = await findStateLocks(tx, [job.workspaceId]);
      if (lock === null || lock.jobId !== job.id || lock.lockId !== lockId) {
        throw new JobError("STATE_LOCKED", "The state can only be written by the holder of its lock. Lock it first.");
      }
      if (!(await isNewState(tx, job.workspaceId, { state, body }).catch(refuse))) return;
      const workspace = { id: job.workspaceId, organizationId: job.organizationId };
      await keepState(tx, deps, workspace, { runId: job.runId, jobId: job.id, actorId: null }, state, put);
    }),
  );
}

/** Checks that a rollback replaces the state that was approved for replacement, not a newer one. */
async function checkReplaced(reader: Reader, { id, runId, workspaceId }: JobRow): Promise<void> {
  const [rollback = null] = await findStateRollbacks(reader, [runId]);
  const newest = rollback === null ? null : await findNewestState(reader, workspaceId);
  if (rollback === null || newest === null || newest.jobId === id || newest.serial === rollback.stateSerial) return;
  const message = `The state moved from serial ${rollback.stateSerial} to ${newest.serial} since the rollback was approved. Roll back again.`;
  throw new JobError("STATE_REFUSED", message);
}

function refuse(error: unknown): never {
  if (error instanceof StateRefused) throw new JobError("STATE_REFUSED", error.message);
  throw error;
}
