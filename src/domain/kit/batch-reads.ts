import { batch } from "../../persistence/database/batch.ts";

/** A read by key: one value per key, in the order of the keys. */
export type ReadKeys<Value> = (keys: readonly string[]) => Promise<Value[]>;

/**
 * Two, so that Postgres reads one batch while Node works on another, and a read that waits for a disk blocks nothing.
 */
const AT_ONCE_IF_FULL = 2;
/** The longest wait for a running read before the next starts. Most reads take less, also under load. */
const PATIENCE_MS = 20;

/**
 * Batches the reads of concurrent requests: one read at a time, two while more keys wait than one read takes. So
 * requests do not alternate in step between Postgres and Node. The more requests there are, the more share a read.
 *
 * Permissions are not checked here. Results are shared and must not be modified. `most` is the number of keys of one
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
  // Many requests with one token need the same key. Requests with several keys are not deduplicated.
  const keyOf = (keys: readonly string[]): string | undefined => (keys.length === 1 ? keys[0] : undefined);
  return batch(work, { most, atOnce: 1, atOnceIfFull: AT_ONCE_IF_FULL, patienceMs, sizeOf, keyOf });
}

function answerAt<Value>(values: readonly Value[], index: number | undefined): Value {
  const value = index === undefined ? undefined : values[index];
  if (value === undefined) throw new Error("A read gave fewer answers than it was asked for.");
  return value;
}
