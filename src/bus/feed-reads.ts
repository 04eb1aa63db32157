/**
 * Batches reads of feeds: each statement enters committed events into the feeds, and waits for the disk if there were
 * any.
 */
import { LIMITS } from "../model/kit/limits.ts";
import { isConnectionLost } from "../persistence/database/connection-lost.ts";
import type { Reader } from "../persistence/database/database.ts";
import { type FeedRead, type FeedPage, readFeed, readFeeds } from "../persistence/feed/feed-store.ts";
import { batch } from "../persistence/database/batch.ts";

/**
 * Creates a batched reader of feeds. At most `feedReadsAtOnce` statements run; reads that arrive meanwhile share the
 * next one. So the load follows the speed of the database, not the number of busy feeds.
 *
 * A statement starts only after its last read was added, so no caller gets a stale page. Equal reads share a page,
 * which must not be modified.
 */
export function createFeedReads(reader: Reader): (read: FeedRead) => Promise<FeedPage | null> {
  return batch((reads: readonly FeedRead[]) => answer(reader, reads), {
    most: LIMITS.feedsPerRead,
    atOnce: LIMITS.feedReadsAtOnce,
    patienceMs: LIMITS.feedReadPatienceMs,
    keyOf,
  });
}

function keyOf({ organizationId, workspaceId, changesetId, after }: FeedRead): string {
  return `${organizationId} ${workspaceId ?? changesetId ?? ""} ${after}`;
}

/**
 * Reads one batch. If the batch fails, reads each feed alone, so that a broken feed does not affect the readers of
 * others.
 */
async function answer(
  reader: Reader,
  reads: readonly FeedRead[],
): Promise<(FeedPage | null | Promise<FeedPage | null>)[]> {
  try {
    return await readFeeds(reader, reads, LIMITS.streamPageEvents);
  } catch (error) {
    if (reads.length === 1 || isConnectionLost(error)) throw error;
    let before: Promise<unknown> = Promise.resolve();
    return reads.map((read) => {
      const page = before.then(() => readFeed(reader, read, read.after, LIMITS.streamPageEvents));
      before = page.catch(() => undefined);
      return page;
    });
  }
}
