/** Reads of feeds, many at a time: each settles what was committed, and waits for the disk if there was anything. */
import { LIMITS } from "../model/kit/limits.ts";
import { isConnectionLost } from "../persistence/database/connection-lost.ts";
import type { Reader } from "../persistence/database/database.ts";
import { type FeedLook, type FeedPage, readFeed, readFeeds } from "../persistence/feed/feed-store.ts";
import { batch } from "../persistence/database/batch.ts";

/**
 * Makes a reader of feeds. At most `feedLooksAtOnce` statements are under way; reads that arrive meanwhile share the next
 * one. So the load of a busy database follows what it can answer, and not the number of feeds in which something happens.
 *
 * A statement starts only after its last read was added, so no caller gets a stale page. Equal reads share a page, which
 * must not be changed.
 */
export function createFeedLooks(reader: Reader): (look: FeedLook) => Promise<FeedPage | null> {
  return batch((looks: readonly FeedLook[]) => answer(reader, looks), {
    most: LIMITS.feedsOfLook,
    atOnce: LIMITS.feedLooksAtOnce,
    patienceMs: LIMITS.feedLookPatienceMs,
    keyOf,
  });
}

function keyOf({ organizationId, workspaceId, after }: FeedLook): string {
  return `${organizationId} ${workspaceId ?? ""} ${after}`;
}

/**
 * Where they cannot be answered together each is asked alone, one after the other: a feed that cannot be read is no matter
 * to the readers of others.
 */
async function answer(
  reader: Reader,
  looks: readonly FeedLook[],
): Promise<(FeedPage | null | Promise<FeedPage | null>)[]> {
  try {
    return await readFeeds(reader, looks, LIMITS.streamPageEvents);
  } catch (error) {
    if (looks.length === 1 || isConnectionLost(error)) throw error;
    let before: Promise<unknown> = Promise.resolve();
    return looks.map((look) => {
      const page = before.then(() => readFeed(reader, look, look.after, LIMITS.streamPageEvents));
      before = page.catch(() => undefined);
      return page;
    });
  }
}
