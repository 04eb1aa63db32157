import type { Watch } from "./hub.ts";

export interface TailSource<Item> {
  /** What is new since the last read; `ended` when nothing can follow. */
  read: () => Promise<{ items: Item[]; ended: boolean }>;
  watch: Watch;
  /** How long to wait at most before looking again without a hint. */
  pollMs: number;
}

/**
 * Committed rows as an iterator that reads only when it is asked. Written out rather than as an async generator: the
 * generator's `return()` would queue behind a pending `next()`, and an idle stream could never be closed.
 */
export function createTail<Item>({ read, watch, pollMs }: TailSource<Item>): AsyncIterableIterator<Item> {
  let buffer: Item[] = [];
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
        if (item !== undefined) return { done: false, value: item };
        if (ended) break;
        watch.reset();
        const page = await read();
        buffer = closed ? [] : page.items;
        ended = page.ended;
        if (buffer.length === 0 && !ended && !closed) await watch.changed(pollMs);
      }
    } catch (error) {
      close();
      throw error;
    }
    close();
    return { done: true, value: undefined };
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
