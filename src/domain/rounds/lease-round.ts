import { LIMITS } from "../../model/kit/limits.ts";
import type { Deps } from "../kit/deps.ts";
import { loseExpiredLeases } from "../lease/lose-lease.ts";

/**
 * Creates the round that ends expired leases; call it every `LIMITS.reaperMs`.
 *
 * A lease counts only time in which a server and its database were up. At the start, and after failed or missed rounds
 * (a database that restarts, a machine that was suspended), each runner gets a full lease to reconnect.
 */
export function createLeaseRound(deps: Deps): () => Promise<void> {
  const now = (): number => deps.clock().getTime();
  let wellAt = now();
  let wellSince = wellAt;
  return async () => {
    const at = now();
    // Also if the clock was set back: recorded times are then in the future, and no lease would expire until then.
    if (Math.abs(at - wellAt) > LIMITS.heartbeatMs) wellSince = at;
    await loseExpiredLeases(deps, at - wellSince);
    wellAt = at;
  };
}
