interface Waiting<Item, Result> {
  readonly item: Item;
  readonly key: string | undefined;
  readonly size: number;
  readonly resolve: (result: Result | PromiseLike<Result>) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchOptions<Item> {
  /** The size of a batch; a single item may exceed it. */
  readonly most: number;
  /** Batches that are under way at a time. */
  readonly atOnce: number;
  /** Batches under way at a time while more items wait than one batch takes; by default `atOnce`. */
  readonly atOnceIfFull?: number;
  /** After so long the next batch begins nevertheless: one connection that hangs must not hold back all others. */
  readonly patienceMs: number;
  /** The size of an item; by default 1. */
  readonly sizeOf?: (item: Item) => number;
  /** Items with the same key that wait share one result; an item without a key has its own. */
  readonly keyOf?: (item: Item) => string | undefined;
}

/**
 * Makes a function that works on items in batches: items that arrive while `atOnce` batches are under way share a later
 * one, so that a cost which does not grow with the items, such as a commit, is paid once for all of them. An item that
 * arrives alone waits for the end of its turn of the event loop alone.
 *
 * `work` gives one result for each item, or a promise of it, in the order of the items. It is called after the last item
 * of the batch has arrived, so no item gets a result that was stale when it arrived. If `work` fails, all items of the
 * batch fail.
 */
export function batch<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
  { most, atOnce, atOnceIfFull = atOnce, patienceMs, sizeOf = () => 1, keyOf = () => undefined }: BatchOptions<Item>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  const shared = new Map<string, Promise<Result>>();
  let underWay = 0;
  let isDue = false;

  /** The number of items in the next batch. */
  function next(): number {
    let size = 0;
    const end = waiting.findIndex((one, index) => {
      size += one.size;
      return index > 0 && size > most;
    });
    return end === -1 ? waiting.length : end;
  }

  function beginAll(): void {
    isDue = false;
    while (waiting.length > 0) {
      const count = next();
      if (underWay >= (count < waiting.length ? atOnceIfFull : atOnce)) return;
      void begin(waiting.splice(0, count));
    }
  }

  async function begin(items: readonly Waiting<Item, Result>[]): Promise<void> {
    for (const { key } of items) if (key !== undefined) shared.delete(key);
    underWay += 1;
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, patienceMs);
    await Promise.race([workOn(work, items), patience.promise]);
    clearTimeout(timer);
    underWay -= 1;
    beginAll();
  }

  function add(item: Item, key: string | undefined): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, key, size: sizeOf(item), resolve, reject });
    if (!isDue && underWay < Math.max(atOnce, atOnceIfFull)) {
      isDue = true;
      setImmediate(beginAll);
    }
    return promise;
  }

  return (item) => {
    const key = keyOf(item);
    if (key === undefined) return add(item, key);
    const result = shared.get(key) ?? add(item, key);
    shared.set(key, result);
    return result;
  };
}

async function workOn<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>,
  batched: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await work(batched.map(({ item }) => item));
    if (results.length !== batched.length)
      throw new Error("The work on a batch returned another number of results than there are items.");
    for (const [index, result] of results.entries()) batched[index]?.resolve(result);
    // To wait for values as well takes longer than the rest of the batch.
    await Promise.allSettled(results.filter((result) => result instanceof Promise));
  } catch (error) {
    for (const { reject } of batched) reject(error);
  }
}
