import type { JobCaller } from "../../model/people/permission.ts";
import { plannedBy } from "../../model/run/run.ts";
import { deleteBlob } from "../../persistence/blob/blob-store.ts";
import { findJob, lockLiveJob, setJobArchive } from "../../persistence/dispatch/job-store.ts";
import { findArchiveBlob } from "../../persistence/plan/plan-store.ts";
import { findRun, getRunInput } from "../../persistence/run/run-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorizeJob } from "./job-access.ts";
import { JobError, jobOver } from "./job-error.ts";

/** Reads the source archive of the run (tar.gz). */
export async function readSource(deps: Deps, caller: JobCaller): Promise<AsyncIterable<Buffer>> {
  authorizeJob(caller, "source:read");
  const runId = await liveRunId(deps, caller);
  const { source } = await getRunInput(deps.database, runId);
  if (source === null) throw new JobError("MALFORMED", "This run has no source.");
  return deps.blobs.read(source.blobId);
}

/** Reads the archive that the plan job stored; for an APPLY, that of its PLAN run. */
export async function readArchive(deps: Deps, caller: JobCaller): Promise<AsyncIterable<Buffer>> {
  authorizeJob(caller, "archive:read");
  const run = await findRun(deps.database, await liveRunId(deps, caller));
  const blobId = run === null ? null : await findArchiveBlob(deps.database, plannedBy(run));
  if (blobId === null) throw new JobError("MALFORMED", "This run has no plan.");
  return deps.blobs.read(blobId);
}

async function liveRunId(deps: Deps, caller: JobCaller): Promise<string> {
  const job = await findJob(deps.database, caller.jobId);
  if (job === null || job.endedAt !== null) throw jobOver();
  return job.runId;
}

/**
 * Stores the archive of the plan that is reported next. A repeated call replaces it. Throws StoreUnavailable if the blob store
 * is unreachable; the runner then retries.
 */
export async function writeArchive(deps: Deps, caller: JobCaller, body: Buffer): Promise<void> {
  authorizeJob(caller, "archive:write");
  const live = await findJob(deps.database, caller.jobId);
  if (live === null || live.endedAt !== null) throw jobOver();
  const id = deps.newId("blob");
  const { workspaceId } = live;
  const blob = { id, kind: "ARCHIVE", workspaceId, body, createdAt: deps.clock().toISOString() } as const;
  await deps.blobs.bring(blob, (put) =>
    deps.database.transaction(async (tx) => {
      const job = await lockLiveJob(tx, caller.jobId);
      if (job === null) throw jobOver();
      await deps.blobs.insert(tx, put);
      await setJobArchive(tx, job.id, id);
      if (job.archiveBlobId !== null) await deleteBlob(tx, job.archiveBlobId);
    }),
  );
}
