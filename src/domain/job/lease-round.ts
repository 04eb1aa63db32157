import { LIMITS } from "../../model/limits.ts";
import { DEFAULT_RUN_LIMITS } from "../../model/policy.ts";
import { isReachable } from "../../persistence/installation-store.ts";
import type { Deps } from "../deps.ts";
import { loseExpiredLeases } from "./lose-lease.ts";

/**
 * One look at the leases, to be taken every `LIMITS.reaperMs`. A lease counts only time in which a server was up and
 * its database with it: at first, and after a time in which rounds failed or did not come (a database that restarts, a
 * machine that was suspended), runners get a whole lease to be heard from again.
 */
export function createLeaseRound(deps: Deps): () => Promise<void> {
  const now = (): number => deps.clock().getTime();
  let wellAt = now();
  let from = wellAt + DEFAULT_RUN_LIMITS.leaseMs;
  return async () => {
    const at = now();
    if (at - wellAt > LIMITS.heartbeatMs) from = at + DEFAULT_RUN_LIMITS.leaseMs;
    if (at < from) {
      if (await isReachable(deps.database)) wellAt = at;
      return;
    }
    await loseExpiredLeases(deps);
    wellAt = at;
  };
}
