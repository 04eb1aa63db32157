import { listOrganizationsOffPlace, offerPlaces } from "../../persistence/dispatch/dispatch-store.ts";
import type { Deps } from "../kit/deps.ts";

/** Gives away places that are free although somebody waits; every change does that by itself, this is the net below. */
export async function offerFreeCapacity(deps: Deps): Promise<void> {
  for (const organizationId of await listOrganizationsOffPlace(deps.database)) {
    await deps.database.transaction(async (tx) => offerPlaces(tx, organizationId));
  }
}
