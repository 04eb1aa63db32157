import { listUnsettledFeeds, settleFeed } from "../../persistence/feed-store.ts";
import type { Deps } from "../deps.ts";

/** Enters what happened into feeds that nobody reads at the moment; whoever reads one does that by himself. */
export async function settleFeeds({ database }: Pick<Deps, "database">): Promise<void> {
  for (const organizationId of await listUnsettledFeeds(database)) await settleFeed(database, organizationId);
}
