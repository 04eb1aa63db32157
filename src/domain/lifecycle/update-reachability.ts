import { LIMITS } from "../../model/kit/limits.ts";
import { listStaleOrganizations, updateReachable } from "../../persistence/dispatch/reachability-store.ts";
import type { Deps } from "../kit/deps.ts";

/** Returns since when a runner must have been seen to count as online. */
export function onlineSince(at: Date): string {
  return new Date(at.getTime() - LIMITS.runnerOfflineMs).toISOString();
}

/**
 * Updates which runs have an online runner that can take them. Works in short transactions; what `steps` leaves is for
 * the next round.
 */
export async function updateReachability(deps: Deps, steps = 1): Promise<void> {
  const since = onlineSince(deps.clock());
  for (let step = 0; step < steps; step++) {
    const misled = await listStaleOrganizations(deps.database, since);
    if (misled.length === 0) return;
    for (const organizationId of misled) {
      await deps.database
        .transaction(async (tx) => updateReachable(tx, organizationId, since, LIMITS.reachabilityAtOnce))
        .catch((error: unknown) => deps.reportError(error, `updating the reachable runs of ${organizationId}`));
    }
  }
}
