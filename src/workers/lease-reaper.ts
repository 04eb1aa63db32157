import type { Deps } from "../domain/deps.ts";
import { loseExpiredLeases } from "../domain/job/lose-lease.ts";
import { LIMITS } from "../model/limits.ts";
import { startLoop } from "./loop.ts";

/** Ends leases that ran out. A lease counts only time in which a server was up, so the first round waits for one. */
export function startLeaseReaper(deps: Deps): AsyncDisposable {
  return startLoop({
    firstMs: LIMITS.leaseMs,
    everyMs: LIMITS.reaperMs,
    work: () => loseExpiredLeases(deps),
    onError: (error) => deps.reportError(error, "the lease reaper"),
  });
}
