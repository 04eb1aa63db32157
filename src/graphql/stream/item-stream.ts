import type { FeedPosition } from "../../model/run/feed.ts";
import type { StreamPosition } from "../kit/stream-position.ts";

/**
 * The source of a subscription, as an explicit iterator: an async generator around a waiting iterator cannot be
 * closed, because its `return()` queues behind the `next()` that waits.
 */
export interface ItemStreamOptions<Row, Item> {
  /** Items that come before those of the tail. */
  first: Item[];
  /** The rows as they come. `null`: the stream ends after the first items. */
  tail: AsyncIterableIterator<Row> | null;
  /** Returns `null` for a row that this subscriber does not get. */
  toItem: (row: Row) => Item | null;
  /** The position of a row; `null` if it has none. */
  positionOf?: (row: Row) => FeedPosition | null;
  /** Updated to the position of the last returned item. */
  streamPosition?: StreamPosition | undefined;
  /** Makes the last item of a stream whose tail fails. */
  toFailure: (error: unknown) => Item;
  /** Called before each item is returned. */
  beforeItem: () => void;
}

export function itemStream<Row, Item>(options: ItemStreamOptions<Row, Item>): AsyncIterableIterator<Item> {
  const { tail, toItem, positionOf, streamPosition, toFailure, beforeItem } = options;
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
        // Also behind a row without an item: it does not have to be read again.
        if (streamPosition !== undefined) streamPosition.current = positionOf?.(row.value) ?? streamPosition.current;
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

  /** Ends the tail, without waiting for it. */
  function close(): void {
    first.length = 0;
    if (!ended) {
      ended = true;
      // The reader has left: an error of the tail concerns no one.
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
