import { jobOver } from "../domain/job/job-error.ts";
import type { Jobs } from "../domain/job/jobs.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { JobCaller } from "../model/people/permission.ts";
import { parseJson } from "./body.ts";
import { answer, type Exchange } from "./exchange.ts";
import { parseHeartbeat } from "./parse.ts";
import type { WaitFor } from "./wait-for.ts";
import type { HeartbeatAnswer } from "./wire.ts";

export interface HeartbeatDeps {
  jobs: Jobs;
  waitFor: WaitFor;
  clock: () => Date;
  draining: AbortSignal;
}

/** Held open until the work is to end, or the time is over. Of one job only a few are held: each costs reads. */
export function createHeartbeat({ jobs, waitFor, clock, draining }: HeartbeatDeps) {
  const held = new Map<string, number>();
  const hold = (jobId: string): Disposable => {
    held.set(jobId, (held.get(jobId) ?? 0) + 1);
    return {
      [Symbol.dispose]() {
        const rest = (held.get(jobId) ?? 1) - 1;
        if (rest > 0) held.set(jobId, rest);
        else held.delete(jobId);
      },
    };
  };
  return async (exchange: Exchange, caller: JobCaller): Promise<void> => {
    const body = await exchange.body(LIMITS.requestBytes);
    const { waitMs } = parseHeartbeat(body.length === 0 ? { waitMs: 0 } : parseJson(body));
    const renewed = await jobs.renewLease(caller);
    // It was in time; that the job ends meanwhile, or has just ended, is how jobs end.
    exchange.quiet = true;
    if (renewed === null) throw jobOver();
    let beat = renewed;
    const crowded = (held.get(caller.jobId) ?? 0) >= LIMITS.heartbeatsHeld;
    const until = clock().getTime() + (crowded ? 0 : waitMs);
    using _held = hold(caller.jobId);
    const gone = new AbortController();
    exchange.response.on("close", () => gone.abort());
    using waiting = waitFor(`run:${caller.runId}`, AbortSignal.any([gone.signal, draining]));
    while (!beat.cancelRequested && beat.expired === null && !gone.signal.aborted && !draining.aborted) {
      const restMs = until - clock().getTime();
      if (restMs <= 0) break;
      await waiting.changed(restMs);
      waiting.reset();
      // Every event of the run wakes it: an update for each would be a commit for nothing.
      beat = await jobs.readHeartbeatOrders(caller);
    }
    const { cancelRequested, expired } = beat;
    answer(exchange, 200, { cancelRequested, expired } satisfies HeartbeatAnswer);
  };
}
