import type { FeedPosition } from "../../model/run/feed.ts";
import type { StreamPlace } from "../kit/stream-place.ts";

/**
 * The source of a subscription, as an explicit iterator: an async generator around a waiting iterator cannot be
 * closed, because its `return()` queues behind the `next()` that waits.
 */
export interface ItemStreamOptions<Row, Item> {
  /** Items that come before those of the tail. */
  first: Item[];
  /** Rows as they come; null: the stream ends after the first items. */
  tail: AsyncIterableIterator<Row> | null;
  /** null: the row is of no interest to this subscriber. */
  toItem: (row: Row) => Item | null;
  /** The place behind a row; null where it has none. */
  positionOf?: (row: Row) => FeedPosition | null;
  /** Is kept up to date with what was handed out. */
  place?: StreamPlace | undefined;
  /** What is sent last where the tail breaks. */
  toFailure: (error: unknown) => Item;
  /** Called before each item is handed out. */
  beforeItem: () => void;
}

export function itemStream<Row, Item>(options: ItemStreamOptions<Row, Item>): AsyncIterableIterator<Item> {
  const { tail, toItem, positionOf, place, toFailure, beforeItem } = options;
  const first = [...options.first];
  const done: IteratorReturnResult<undefined> = { done: true, value: undefined };
  const waiting = new Set<(result: IteratorResult<Item>) => void>();
  let ended = tail === null;
  let returned = false;
  let previous: Promise<unknown> = Promise.resolve();

  async function pull(): Promise<IteratorResult<Item>> {
    const ready = first.shift();
    if (ready !== undefined) return { done: false, value: ready };
    while (!ended && tail !== null) {
      try {
        const row = await tail.next();
        if (ended || row.done === true) break;
        const value = toItem(row.value);
        // Also behind a row of no interest: nobody needs to read it again.
        if (place !== undefined) place.now = positionOf?.(row.value) ?? place.now;
        if (value !== null) return { done: false, value };
      } catch (error) {
        if (ended) break;
        close();
        return { done: false, value: toFailure(error) };
      }
    }
    ended = true;
    return done;
  }

  /** Ends the tail without waiting for it, and wakes whoever waits. */
  function close(): void {
    first.length = 0;
    if (!ended) {
      ended = true;
      // A tail that cannot be closed has nothing to say to a reader that is gone.
      tail?.return?.().catch(() => {});
    }
  }

  return {
    next: () =>
      new Promise((resolve) => {
        if (returned) {
          resolve(done);
          return;
        }
        const settle = (result: IteratorResult<Item>): void => {
          if (!waiting.delete(settle)) return;
          if (result.done !== true) beforeItem();
          resolve(result);
        };
        waiting.add(settle);
        previous = previous.then(pull).then(settle);
      }),
    return: () => {
      returned = true;
      close();
      for (const settle of waiting) settle(done);
      return Promise.resolve(done);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
