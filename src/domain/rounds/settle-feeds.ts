import { dropForeignFloors, listUnsettledFeeds, settleFeeds } from "../../persistence/feed/feed-store.ts";
import type { Deps } from "../kit/deps.ts";

/** Feeds whose heads are locked together. */
const AT_ONCE = 50;

/** Enters events into feeds without a current reader. Readers enter events themselves. */
export async function settleAllFeeds({ database }: Pick<Deps, "database">): Promise<void> {
  await dropForeignFloors(database);
  const ids = await listUnsettledFeeds(database);
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    await settleFeeds(database, ids.slice(start, start + AT_ONCE));
  }
}
