/** Looks at feeds, many at a time: each settles what was committed, and waits for the disk if that was anything. */
import { LIMITS } from "../model/kit/limits.ts";
import { isConnectionLost } from "../persistence/database/connection-lost.ts";
import type { Reader } from "../persistence/database/database.ts";
import { type FeedLook, type FeedPage, readFeed, readFeeds } from "../persistence/feed/feed-store.ts";
import { batch } from "../persistence/database/batch.ts";

/**
 * Who looks while `feedLooksAtOnce` statements are under way waits for one of them, though not for one that hangs, and
 * then looks together with all who came meanwhile; who comes to none waits for nobody. So a busy database is asked in
 * proportion to what it can answer, and not to the feeds in which something happens: each with an event now and then, 16
 * cost half as much again as one.
 *
 * A statement begins after all of its questions were asked, so that nobody is told what was true before. Pages are
 * shared by all who want to know the same, and not to be changed.
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
