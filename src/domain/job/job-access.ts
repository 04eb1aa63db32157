import { canJob, type JobAction, type JobCaller } from "../../model/people/permission.ts";
import type { Reader, Transaction } from "../../persistence/database/database.ts";
import { findJob, holdLiveJob, type JobRow } from "../../persistence/dispatch/job-store.ts";
import { JobError, jobOver } from "./job-error.ts";

/** Throws FORBIDDEN unless the job's leg allows the action. */
export function authorizeJob(caller: JobCaller, action: JobAction): void {
  if (!canJob(caller, action)) {
    throw new JobError(
      "FORBIDDEN",
      `A job on the leg ${caller.leg} of a run of kind ${caller.kind} may not do this: ${action}.`,
    );
  }
}

/** Returns the live job and keeps it from ending while the transaction is open. Throws JOB_OVER. */
export async function useLiveJob(tx: Transaction, caller: JobCaller): Promise<JobRow> {
  const job = await holdLiveJob(tx, caller.jobId);
  if (job === null) throw jobOver();
  return job;
}

/** Throws JOB_OVER if the job's lease is over. Takes no lock: the lease may end right afterwards. */
export async function checkLiveJob(reader: Reader, { jobId }: JobCaller): Promise<void> {
  const job = await findJob(reader, jobId);
  if (job === null || job.endedAt !== null) throw jobOver();
}
