import type { Deps } from "../domain/kit/deps.ts";
import { createLeaseRound } from "../domain/rounds/lease-round.ts";
import { LIMITS } from "../model/kit/limits.ts";
import { startLoop } from "./loop.ts";

/** Ends leases that ran out. */
export function startLeaseReaper(deps: Deps): AsyncDisposable {
  return startLoop({
    everyMs: LIMITS.reaperMs,
    work: createLeaseRound(deps),
    onError: (error) => deps.reportError(error, "the lease reaper"),
  });
}
