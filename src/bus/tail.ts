import { isConnectionLost } from "../persistence/database/connection-lost.ts";
import type { Watch } from "./hub.ts";

export interface TailSource<Item> {
  /** Reads the items since the last read. */
  read: () => Promise<TailPage<Item>>;
  watch: Watch;
  /** The longest wait before a read without a hint. */
  pollMs: number;
  /** The item that is sent at intervals while there is nothing new. */
  quiet?: Quiet<Item>;
  /**
   * Called before the tail waits after an empty read. At that moment its reader has every item, so it may close or stop
   * reading without a loss or a repetition.
   */
  onIdle?: () => void;
  /**
   * Called with the version of rights of a page before anything of it is handed out, and before an end. `false` ends the
   * tail.
   */
  admit?: ((accessVersion: number) => Promise<boolean>) | undefined;
}

export interface TailPage<Item> {
  items: Item[];
  /** Whether no item can follow. */
  ended: boolean;
  /** The version of rights at the instant of the read. Absent or `null` if rights are needed for nothing of the page. */
  accessVersion?: number | null;
}

export interface Quiet<Item> {
  /** The number of consecutive empty reads. */
  reads: number;
  /** Whether it is also sent after an empty first read. */
  atOnce: boolean;
  toItem: () => Item;
}

/**
 * Iterates over committed rows: reads only on demand, and holds at most one page. Not an async generator, whose
 * `return()` would queue behind a pending `next()` and never close an idle stream. If the database is unreachable it
 * waits, then continues at its position.
 */
export function createTail<Item>({
  read,
  watch,
  pollMs,
  quiet,
  onIdle,
  admit,
}: TailSource<Item>): AsyncIterableIterator<Item> {
  let buffer: Item[] = [];
  /** The version of a page that was not admitted yet. */
  let unadmitted: number | null = null;
  let idle = quiet?.atOnce === true ? quiet.reads : 0;
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
        if (unadmitted !== null && !(await isAdmitted(unadmitted))) continue;
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
        if (buffer.length > 0 || ended) unadmitted = page.accessVersion ?? null;
        if (buffer.length > 0 || ended || closed) continue;
        if (quiet !== undefined && idle >= quiet.reads) {
          idle = 0;
          return { done: false, value: quiet.toItem() };
        }
        // The database was unreachable, so new items are possible.
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

  /** Asks for the admission of the page. The page is kept while the database is unreachable. */
  async function isAdmitted(accessVersion: number): Promise<boolean> {
    try {
      if (admit !== undefined && !(await admit(accessVersion))) close();
      unadmitted = null;
      return !closed;
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      await watch.changed(pollMs);
      return false;
    }
  }

  function nothingWhileAway(error: unknown): TailPage<Item> {
    if (!isConnectionLost(error)) throw error;
    // Without a read, new items are possible.
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
