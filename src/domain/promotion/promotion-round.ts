import { LIMITS } from "../../model/kit/limits.ts";
import { isConnectionLost } from "../../persistence/database/connection-lost.ts";
import { RightsChanged } from "../../persistence/database/database.ts";
import { listDuePromotions, listPromotable } from "../../persistence/promotion/promotion-store.ts";
import type { Deps } from "../kit/deps.ts";
import { considerChangeset } from "./consider-changeset.ts";
import { promoteDue } from "./promote-due.ts";

/**
 * Considers the changesets that were applied, and promotes those that have soaked. One that fails, or whose owner's rights
 * change meanwhile, is considered again by the next round.
 */
export async function promotionRound(deps: Deps, signal: AbortSignal): Promise<void> {
  const { promotionsByRound: most } = LIMITS;
  for (const id of await listPromotable(deps.database, most)) {
    if (signal.aborted) return;
    await attempt(deps, `promoting the changeset ${id}`, () => considerChangeset(deps, id));
  }
  for (const key of await listDuePromotions(deps.database, deps.clock().toISOString(), most)) {
    if (signal.aborted) return;
    await attempt(deps, `promoting the changeset ${key.originId} to ${key.stage}`, () => promoteDue(deps, key));
  }
}

async function attempt(deps: Deps, what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof RightsChanged) return;
    // The outcome is known only once the database is back.
    if (isConnectionLost(error)) throw error;
    deps.reportError(error, what);
  }
}
