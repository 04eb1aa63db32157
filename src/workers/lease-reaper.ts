import type { Deps } from "../domain/deps.ts";
import { createLeaseRound } from "../domain/job/lease-round.ts";
import { LIMITS } from "../model/limits.ts";
import { startLoop } from "./loop.ts";

/** Ends leases that ran out. */
export function startLeaseReaper(deps: Deps): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.reaperMs,
    work: createLeaseRound(deps),
    onError: (error) => deps.reportError(error, "the lease reaper"),
  });
}
