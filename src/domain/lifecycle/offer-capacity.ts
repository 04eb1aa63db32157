import { listOrganizationsToOffer, offerSlots } from "../../persistence/dispatch/dispatch-store.ts";
import type { Deps } from "../kit/deps.ts";

/**
 * Offers free capacity of organizations to waiting runs. Every change does so itself; this round catches what was
 * missed.
 */
export async function offerFreeCapacity(deps: Deps): Promise<void> {
  for (const organizationId of await listOrganizationsToOffer(deps.database)) {
    await deps.database.transaction(async (tx) => offerSlots(tx, organizationId));
  }
}
