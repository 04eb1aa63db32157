import { LIMITS } from "../../model/kit/limits.ts";
import type { Deps } from "../kit/deps.ts";
import { loseExpiredLeases } from "../lease/lose-lease.ts";

/**
 * One look at the leases, to be taken every `LIMITS.reaperMs`. A lease counts only time in which a server was up and
 * its database with it: at first, and after a time in which rounds failed or did not come (a database that restarts, a
 * machine that was suspended), each runner gets the whole length of its lease to be heard from again.
 */
export function createLeaseRound(deps: Deps): () => Promise<void> {
  const now = (): number => deps.clock().getTime();
  let wellAt = now();
  let wellSince = wellAt;
  return async () => {
    const at = now();
    // Also a clock that was put back: what was noted by it lies ahead, and no lease would run out until then.
    if (Math.abs(at - wellAt) > LIMITS.heartbeatMs) wellSince = at;
    await loseExpiredLeases(deps, at - wellSince);
    wellAt = at;
  };
}
