import { LIMITS } from "../../model/limits.ts";
import { listOrganizationsMisled, noteReach } from "../../persistence/reach-store.ts";
import type { Deps } from "../deps.ts";

/** Runners that were not heard from after then are not there. */
export function heardSince(at: Date): string {
  return new Date(at.getTime() - LIMITS.runnerOfflineMs).toISOString();
}

/** Brings into line with the runners that are there which runs could be taken; what is left over is for the next round. */
export async function settleReach(deps: Deps): Promise<void> {
  const since = heardSince(deps.clock());
  for (const organizationId of await listOrganizationsMisled(deps.database, since)) {
    await deps.database
      .transaction(async (tx) => noteReach(tx, organizationId, since, LIMITS.reachByRound))
      .catch((error: unknown) => deps.reportError(error, `noting the runners of ${organizationId}`));
  }
}
