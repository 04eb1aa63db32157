import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "../../ingestion/wire.ts";
import type { JobControl } from "../job/job-control.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import type { JobClient } from "./job-client.ts";
import { ProtocolRefusal, ServerAway } from "./server-request.ts";

/** The status of a job that is over; also for a heartbeat that is held while the last report arrives. */
const OVER = 410;

export interface LeaseKeeping {
  client: JobClient;
  control: JobControl;
  log: RunnerLog;
  finished: AbortSignal;
  limits: Pick<RunnerLimits, "firstHeartbeatMs">;
}

/** Renews a job's lease until `finished`, and passes orders of the server to the control. */
export async function keepLease(
  job: Pick<Job, "heartbeatMs">,
  { client, control, log, finished, limits }: LeaseKeeping,
): Promise<void> {
  const signal = AbortSignal.any([finished, control.ended]);
  // The lease is fresh: a short job needs no heartbeat.
  await sleep(Math.min(limits.firstHeartbeatMs, job.heartbeatMs), undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    const interval = sleep(job.heartbeatMs, undefined, { signal }).catch(() => undefined);
    try {
      // The server holds the request open, so that an order to stop arrives at once.
      const { cancelRequested, expired } = await client.heartbeat(job.heartbeatMs, signal);
      if (cancelRequested) control.cancel();
      else if (expired !== null) control.timeOut();
    } catch (error) {
      if (signal.aborted) return;
      // The next heartbeat is the retry; the server decides whether the lease is lost.
      if (error instanceof ServerAway) log.debug({ reason: error.message }, "A heartbeat was not answered");
      else if (error instanceof ProtocolRefusal && error.status === OVER)
        log.debug({}, "A heartbeat was answered with the end of the job");
      else log.warn({ err: error }, "A heartbeat was refused");
    }
    await interval;
  }
}
