/** Keeps states that arrive after the lease. They may be the only record of what an apply made. */
import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import { digestOf } from "../../persistence/blob/blob-store.ts";
import type { PutBlob } from "../../persistence/blob/blobs.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { findNewestJob, type JobRow } from "../../persistence/dispatch/job-store.ts";
import { newestAttempt } from "../../persistence/plan/phase-store.ts";
import {
  insertRecoveredState,
  isVersionOfJob,
  recoveredDigests,
} from "../../persistence/state/recovered-state-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import { lockWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { type SentState, stateBlob, type StateDocument } from "../state/keep-state.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";
import { runSecrets } from "../variables/run-secrets.ts";
import { workspaceSecrets } from "../variables/workspace-secrets.ts";
import { JobError, jobOver } from "./job-error.ts";
import { shownOutputs } from "../state/shown-outputs.ts";
import { writeState } from "./state.ts";

/**
 * Stores a new version of the state, with the errors of `writeState`. After the lease of the last job of an ended run,
 * keeps it beside the versions instead and returns `recovered: true`.
 */
export async function takeState(
  deps: Deps,
  caller: JobCaller,
  lockId: string,
  sent: SentState,
): Promise<{ recovered: boolean }> {
  try {
    await writeState(deps, caller, lockId, sent.state, sent.body);
    return { recovered: false };
  } catch (error) {
    if (!(error instanceof JobError) || error.code !== "JOB_OVER") throw error;
    return recover(deps, caller, sent);
  }
}

async function recover(deps: Deps, caller: JobCaller, sent: SentState): Promise<{ recovered: boolean }> {
  const run = await findRun(deps.database, caller.runId);
  if (run === null) throw jobOver();
  return deps.blobs.bring(stateBlob(deps, run.workspaceId, sent.body), (put) =>
    recoverIn(deps, caller, sent.state, put),
  );
}

function recoverIn(
  deps: Deps,
  { runId, jobId }: JobCaller,
  state: StateDocument,
  put: PutBlob,
): Promise<{ recovered: boolean }> {
  return deps.database.transaction(async (tx) => {
    const run = await findRun(tx, runId);
    if (run === null) throw jobOver();
    // Decisions about recovered states lock this row too: two recoveries do not run at once.
    await lockWorkspaceRow(tx, run.workspaceId);
    const job = await findNewestJob(tx, runId);
    if (job?.id !== jobId || job.endedAt === null || !isTerminal((await findRun(tx, runId))?.status ?? run.status)) {
      throw jobOver();
    }
    if (!(await hasChanged(tx, runId))) throw jobOver();
    const digest = digestOf(put.blob.body);
    // The state was stored before the lease ended, but the response was lost.
    if (await isVersionOfJob(tx, job.workspaceId, jobId, digest)) return { recovered: false };
    const known = await recoveredDigests(tx, jobId);
    if (known.includes(digest)) return { recovered: true };
    if (known.length >= LIMITS.recoveredPerJob) throw jobOver();
    await keep(tx, deps, job, digest, state, put);
    return { recovered: true };
  });
}

/** Whether the run got far enough for its runner to have changed infrastructure. */
async function hasChanged(reader: Reader, runId: string): Promise<boolean> {
  for (const kind of ["APPLY", "DESTROY", "PERFORM"] as const) {
    if ((await newestAttempt(reader, runId, kind)) > 0) return true;
  }
  return false;
}

async function keep(
  tx: Transaction,
  deps: Deps,
  job: JobRow,
  digest: string,
  state: StateDocument,
  put: PutBlob,
): Promise<void> {
  const { workspaceId, organizationId, runId } = job;
  const { id: blobId, createdAt: receivedAt, body } = put.blob;
  await deps.blobs.insert(tx, put);
  const secrets = [...(await runSecrets(tx, deps, runId)), ...(await workspaceSecrets(tx, deps, workspaceId))];
  tx.announce("inbox");
  await insertRecoveredState(tx, {
    id: deps.newId("recoveredState"),
    workspaceId,
    runId,
    jobId: job.id,
    runnerId: job.runnerId,
    blobId,
    digest,
    size: body.length,
    serial: state.serial,
    lineage: state.lineage,
    outputs: shownOutputs(state.outputs, secrets),
    resourceCount: state.resourceCount,
    receivedAt,
  });
  await recordWorkspaceChange(tx, deps, { id: workspaceId, organizationId }, SYSTEM_ACTOR_ID, ["recoveredStates"]);
}
