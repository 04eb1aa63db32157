/** Looks at feeds, many at a time: each settles what was committed, and waits for the disk if that was anything. */
import { LIMITS } from "../model/limits.ts";
import { isConnectionLost } from "../persistence/connection-lost.ts";
import type { Reader } from "../persistence/database.ts";
import { type FeedLook, type FeedPage, readFeeds } from "../persistence/feed-store.ts";

/** What is asked of a feed, by all who want to know the same. */
interface Question {
  readonly look: FeedLook;
  readonly answer: Promise<FeedPage | null>;
  readonly resolve: (page: FeedPage | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Who looks while `feedLooksAtOnce` statements are under way waits for one of them, though not for one that hangs, and then
 * looks together with all who came meanwhile; who comes to none waits for nobody. So a busy database is asked in proportion to what it can answer,
 * and not to the feeds in which something happens: each with an event now and then, 16 cost half as much again as one.
 *
 * A statement begins after all of its questions were asked, so that nobody is told what was true before. Pages are
 * shared, and not to be changed. Where they cannot be answered together each is asked alone: a feed that cannot be read
 * is no matter to the readers of others.
 */
export function createFeedLooks(reader: Reader): (look: FeedLook) => Promise<FeedPage | null> {
  const waiting = new Map<string, Question>();
  let underWay = 0;

  async function answer(questions: readonly Question[]): Promise<void> {
    try {
      const looks = questions.map(({ look }) => look);
      const pages = await readFeeds(reader, looks, LIMITS.streamPageEvents);
      for (const [place, { resolve }] of questions.entries()) resolve(pages[place] ?? null);
    } catch (error) {
      if (questions.length === 1 || isConnectionLost(error)) {
        for (const { reject } of questions) reject(error);
        return;
      }
      for (const question of questions) await answer([question]);
    }
  }

  async function work(): Promise<void> {
    underWay += 1;
    // What is asked in the same turn goes with it: a message of hints wakes many.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.size > 0) {
      const next = [...waiting].slice(0, LIMITS.feedsOfLook);
      for (const [key] of next) waiting.delete(key);
      const patience = Promise.withResolvers<void>();
      const timer = setTimeout(patience.resolve, LIMITS.feedLookPatienceMs);
      await Promise.race([answer(next.map(([, question]) => question)), patience.promise]);
      clearTimeout(timer);
    }
    underWay -= 1;
  }

  return (look) => {
    const key = `${look.organizationId} ${look.workspaceId ?? ""} ${look.after}`;
    const question: Question = waiting.get(key) ?? newQuestion(look);
    waiting.set(key, question);
    if (underWay < LIMITS.feedLooksAtOnce) void work();
    return question.answer;
  };
}

function newQuestion(look: FeedLook): Question {
  const { promise, resolve, reject } = Promise.withResolvers<FeedPage | null>();
  return { look, answer: promise, resolve, reject };
}
