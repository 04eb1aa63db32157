import type { JobCaller } from "../../model/permission.ts";
import { findJob, renewLease as renew } from "../../persistence/job-store.ts";
import { findRun } from "../../persistence/run-store.ts";
import { touchRunner } from "../../persistence/runner-store.ts";
import type { Deps } from "../deps.ts";
import { authorizeJob } from "./job-access.ts";
import { jobOver } from "./job-error.ts";

/** A heartbeat: the lease begins anew. Says whether somebody asked for a stop. Throws JOB_OVER. */
export async function renewLease(deps: Deps, caller: JobCaller): Promise<{ runId: string; cancelRequested: boolean }> {
  authorizeJob(caller, "job:work");
  const now = deps.clock();
  if (!(await renew(deps.database, caller.jobId, now.toISOString()))) throw jobOver();
  const job = await findJob(deps.database, caller.jobId);
  if (job === null) throw jobOver();
  await touchRunner(deps.database, job.runnerId, now.toISOString());
  const run = await findRun(deps.database, job.runId);
  return { runId: job.runId, cancelRequested: run !== null && run.cancelRequest !== null };
}
