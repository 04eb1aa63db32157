import { isConnectionLost } from "../persistence/database/connection-lost.ts";
import type { Watch } from "./hub.ts";

export interface TailSource<Item> {
  /** The items since the last read; `ended` if nothing can follow. */
  read: () => Promise<{ items: Item[]; ended: boolean }>;
  watch: Watch;
  /** How long to wait at most before looking again without a hint. */
  pollMs: number;
  /** The item that is sent at an interval while nothing happens. */
  quiet?: Quiet<Item>;
  /**
   * Called whenever a look found nothing new, before the tail waits: at that moment its reader has everything that was
   * handed out, and may close it or stop reading without losing or repeating anything.
   */
  onIdle?: () => void;
}

export interface Quiet<Item> {
  /** After so many looks in a row that found nothing. */
  looks: number;
  /** Also where the very first look finds nothing. */
  atOnce: boolean;
  toItem: () => Item;
}

/**
 * Committed rows as an iterator that reads only when it is asked, and holds one page at most. Written out rather than
 * as an async generator: the generator's `return()` would queue behind a pending `next()`, and an idle stream could
 * never be closed. While the database cannot be reached it waits, and then continues where it was.
 */
export function createTail<Item>({
  read,
  watch,
  pollMs,
  quiet,
  onIdle,
}: TailSource<Item>): AsyncIterableIterator<Item> {
  let buffer: Item[] = [];
  let idle = quiet?.atOnce === true ? quiet.looks : 0;
  let ended = false;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();

  function close(): void {
    if (closed) return;
    closed = true;
    buffer = [];
    watch[Symbol.dispose]();
  }

  async function pull(): Promise<IteratorResult<Item>> {
    try {
      while (!closed) {
        const [item] = buffer.splice(0, 1);
        if (item !== undefined) {
          idle = 0;
          return { done: false, value: item };
        }
        if (ended) break;
        watch.reset();
        const page = await read().catch(nothingWhileAway);
        buffer = closed ? [] : page.items;
        ended = page.ended;
        if (buffer.length > 0 || ended || closed) continue;
        if (quiet !== undefined && idle >= quiet.looks) {
          idle = 0;
          return { done: false, value: quiet.toItem() };
        }
        // The database was away, so it is not known whether anything is new.
        if (idle >= 0) onIdle?.();
        idle++;
        await watch.changed(pollMs);
      }
    } catch (error) {
      close();
      throw error;
    }
    close();
    return { done: true, value: undefined };
  }

  function nothingWhileAway(error: unknown): { items: Item[]; ended: boolean } {
    if (!isConnectionLost(error)) throw error;
    // Without a read it is not known that nothing is new.
    idle = -1;
    return { items: [], ended: false };
  }

  return {
    next() {
      const result = turn.then(pull);
      turn = result.catch(() => undefined);
      return result;
    },
    return() {
      close();
      return Promise.resolve({ done: true, value: undefined });
    },
    throw(error) {
      close();
      return Promise.reject(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
