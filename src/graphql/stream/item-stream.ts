import type { ActorCaller } from "../../model/people/permission.ts";
import type { FeedPosition } from "../../model/run/feed.ts";
import type { RowAccess, StreamPosition } from "../kit/stream-position.ts";
import type { Audience } from "./audience.ts";

/** An item that comes before those of the tail, with the permission that it takes. */
export interface FirstItem<Item> {
  item: Item;
  access: RowAccess | null;
}

/**
 * The source of a subscription, as an explicit iterator: an async generator around a waiting iterator cannot be
 * closed, because its `return()` queues behind the `next()` that waits.
 */
export interface ItemStreamOptions<Row, Item> {
  /** Items that come before those of the tail. */
  first: readonly FirstItem<Item>[];
  /** The rows as they come. `null`: the stream ends after the first items. */
  tail: AsyncIterableIterator<Row> | null;
  /** Returns `null` for a row that this subscription does not ask for. */
  toItem: (row: Row) => Item | null;
  /** The permission that it takes to see a row; `null` if the row shows nothing. */
  accessOf: (row: Row) => RowAccess | null;
  /** An item is returned once for each caller of its row, and for none if there is none. */
  audience: Pick<Audience, "of">;
  /** The position of a row; `null` if it has none. */
  positionOf?: (row: Row) => FeedPosition | null;
  /** Updated to the position of the last row that was taken. */
  streamPosition?: StreamPosition | undefined;
  /** Makes the last item of a stream whose tail fails. */
  toFailure: (error: unknown) => Item;
  /** Called before each item is returned, with the caller for whom it is executed. */
  beforeItem: (caller: ActorCaller) => void;
}

/** An item with the caller for whom it is executed. */
interface Turn<Item> {
  item: Item;
  caller: ActorCaller;
}

export function itemStream<Row, Item>(options: ItemStreamOptions<Row, Item>): AsyncIterableIterator<Item> {
  const { tail, toItem, accessOf, audience, positionOf, streamPosition, toFailure, beforeItem } = options;
  const first = [...options.first];
  const turns: Turn<Item>[] = [];
  const done: IteratorReturnResult<undefined> = { done: true, value: undefined };
  const waiting = new Set<(turn: Turn<Item> | null) => void>();
  let ended = tail === null;
  let returned = false;
  let previous: Promise<unknown> = Promise.resolve();

  function plan({ item, access }: FirstItem<Item>): void {
    for (const caller of audience.of(access)) turns.push({ item, caller });
  }

  async function pull(): Promise<Turn<Item> | null> {
    for (;;) {
      const turn = turns.shift();
      if (turn !== undefined) return turn;
      const begun = first.shift();
      if (begun !== undefined) plan(begun);
      else if (ended || tail === null) return null;
      else await take(tail);
    }
  }

  /** Takes a row of the tail. */
  async function take(from: AsyncIterableIterator<Row>): Promise<void> {
    try {
      const row = await from.next();
      if (row.done === true) ended = true;
      if (ended || row.done === true) return;
      const item = toItem(row.value);
      // Also behind a row without an item: it does not have to be read again.
      if (streamPosition !== undefined) streamPosition.current = positionOf?.(row.value) ?? streamPosition.current;
      if (item !== null) plan({ item, access: accessOf(row.value) });
    } catch (error) {
      if (ended) return;
      close();
      plan({ item: toFailure(error), access: null });
    }
  }

  /** Ends the tail, without waiting for it. */
  function close(): void {
    first.length = 0;
    turns.length = 0;
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
        const settle = (turn: Turn<Item> | null): void => {
          if (!waiting.delete(settle)) return;
          if (turn !== null) beforeItem(turn.caller);
          resolve(turn === null ? done : { done: false, value: turn.item });
        };
        waiting.add(settle);
        previous = previous.then(pull).then(settle);
      }),
    return: () => {
      returned = true;
      close();
      for (const settle of waiting) settle(null);
      return Promise.resolve(done);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
