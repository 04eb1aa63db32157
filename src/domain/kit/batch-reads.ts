import { batch } from "../../persistence/database/batch.ts";

/** Reads by key: one answer for each key, in the order of the keys. */
export type ReadKeys<Value> = (keys: readonly string[]) => Promise<Value[]>;

/** While Postgres reads one batch, Node works on another; and a read that waits for a disk does not hold back a crowd. */
const AT_ONCE_IF_FULL = 2;
/** The longest that a read is waited for: most take less, also those of a crowd. */
const PATIENCE_MS = 20;

/**
 * Batches reads of requests that arrive at the same time: one read at a time, two while more keys wait than one read
 * takes. So the requests of a crowd do not move in step, all of them waiting for Postgres and then all for Node. The
 * more requests there are, the more of them share a read.
 *
 * Rights are not checked here, and answers are shared: they must not be changed. `most` is the number of keys of one
 * read; a single request may have more.
 */
export function batchReads<Value>(
  read: ReadKeys<Value>,
  most: number,
  patienceMs: number = PATIENCE_MS,
): ReadKeys<Value> {
  const work = async (requests: readonly (readonly string[])[]): Promise<Value[][]> => {
    const indexes = new Map<string, number>();
    for (const keys of requests) for (const key of keys) if (!indexes.has(key)) indexes.set(key, indexes.size);
    const values = await read([...indexes.keys()]);
    return requests.map((keys) => keys.map((key) => answerAt(values, indexes.get(key))));
  };
  const sizeOf = (keys: readonly string[]): number => keys.length;
  // A crowd with one token asks for one key; the keys of longer requests are counted as they are.
  const keyOf = (keys: readonly string[]): string | undefined => (keys.length === 1 ? keys[0] : undefined);
  return batch(work, { most, atOnce: 1, atOnceIfFull: AT_ONCE_IF_FULL, patienceMs, sizeOf, keyOf });
}

function answerAt<Value>(values: readonly Value[], index: number | undefined): Value {
  const value = index === undefined ? undefined : values[index];
  if (value === undefined) throw new Error("A read gave fewer answers than it was asked for.");
  return value;
}
