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
  /** Somebody asked for a stop. */
  cancelRequested: boolean;
  /** The limit that was exceeded. */
  expired: ExceededLimit | null;
}

/**
 * A heartbeat: the lease begins anew. Says whether the work is to end. null: the job has ended while its lease ran, so
 * that the heartbeat may have crossed the report that ended it. Throws JOB_OVER where the lease ran out.
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

/** The same while a heartbeat is held: the lease is as it was. Throws JOB_OVER. */
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

/** Whether a stop that was asked for still holds: the workspace may have stopped allowing to interrupt applies. */
async function isToStop({ database }: Deps, { cancelRequest, status, workspaceId }: Run): Promise<boolean> {
  if (cancelRequest === null) return false;
  if (!STATUS_TRAITS[status].changesInfrastructure) return true;
  return (await findWorkspace(database, workspaceId))?.interruptApply ?? false;
}
