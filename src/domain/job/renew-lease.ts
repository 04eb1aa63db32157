import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { JobCaller } from "../../model/people/permission.ts";
import type { ExceededLimit, Run } from "../../model/run/run.ts";
import { findJob, renewLease as renew } from "../../persistence/dispatch/job-store.ts";
import { findRun } from "../../persistence/run/run-store.ts";
import { touchRunner } from "../../persistence/runner/runner-store.ts";
import { findWorkspace } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { authorizeJob, checkLiveJob } from "./job-access.ts";
import { jobOver } from "./job-error.ts";

export interface HeartbeatOrders {
  /** A stop was requested and is still allowed. */
  cancelRequested: boolean;
  /** The limit that the run exceeded; `null` if none. */
  expired: ExceededLimit | null;
}

/**
 * Handles a heartbeat: renews the lease and returns the orders for the runner. `null` if the job ended while its lease
 * ran; the heartbeat may have crossed the final report. Throws JOB_OVER if the lease ran out.
 */
export async function renewLease(deps: Deps, caller: JobCaller): Promise<HeartbeatOrders | null> {
  authorizeJob(caller, "job:work");
  const now = deps.clock();
  const renewed = await renew(deps.database, caller.jobId, now.toISOString());
  const job = await findJob(deps.database, caller.jobId);
  if (job === null) throw jobOver();
  if (!renewed) {
    if (now < new Date(job.expiresAt)) return null;
    throw jobOver();
  }
  await touchRunner(deps.database, job.runnerId, now.toISOString());
  return readOrders(deps, caller);
}

/** Reads the orders again while a heartbeat request is held open, without renewing the lease. Throws JOB_OVER. */
export async function readHeartbeatOrders(deps: Deps, caller: JobCaller): Promise<HeartbeatOrders> {
  authorizeJob(caller, "job:work");
  await checkLiveJob(deps.database, caller);
  return readOrders(deps, caller);
}

async function readOrders(deps: Deps, { runId }: JobCaller): Promise<HeartbeatOrders> {
  const run = await findRun(deps.database, runId);
  const cancelRequested = run !== null && (await isToStop(deps, run));
  return { cancelRequested, expired: run?.expired?.limit ?? null };
}

/** Whether a requested stop still applies: the workspace may no longer allow interrupting an apply. */
async function isToStop({ database }: Deps, { cancelRequest, status, workspaceId }: Run): Promise<boolean> {
  if (cancelRequest === null) return false;
  if (!STATUS_TRAITS[status].changesInfrastructure) return true;
  return (await findWorkspace(database, workspaceId))?.interruptApply ?? false;
}
