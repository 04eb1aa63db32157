import { LIMITS } from "../../model/kit/limits.ts";
import { listOrganizationsMisled, noteReach } from "../../persistence/dispatch/reach-store.ts";
import type { Deps } from "../kit/deps.ts";

/** Runners that were not heard from after then are not there. */
export function onlineSince(at: Date): string {
  return new Date(at.getTime() - LIMITS.runnerOfflineMs).toISOString();
}

/**
 * Brings into line with the runners that are there which runs could be taken, in steps that let others in between; what
 * is left over after those is for the next round.
 */
export async function updateReachability(deps: Deps, steps = 1): Promise<void> {
  const since = onlineSince(deps.clock());
  for (let step = 0; step < steps; step++) {
    const misled = await listOrganizationsMisled(deps.database, since);
    if (misled.length === 0) return;
    for (const organizationId of misled) {
      await deps.database
        .transaction(async (tx) => noteReach(tx, organizationId, since, LIMITS.reachAtOnce))
        .catch((error: unknown) => deps.reportError(error, `noting the runners of ${organizationId}`));
    }
  }
}
