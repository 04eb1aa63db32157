import DataLoader, { type BatchLoadFn, type Options } from "dataloader";

/**
 * Reads of one kind, batched and kept within one operation. What batches is made with the first read: an operation has
 * dozens of these and uses a few.
 */
export class Loader<Key, Value, CacheKey = Key> {
  readonly #read: BatchLoadFn<Key, Value>;
  readonly #options: Options<Key, Value, CacheKey> | undefined;
  #loader: DataLoader<Key, Value, CacheKey> | null = null;

  constructor(read: BatchLoadFn<Key, Value>, options?: Options<Key, Value, CacheKey>) {
    this.#read = read;
    this.#options = options;
  }

  load(key: Key): Promise<Value> {
    this.#loader ??= new DataLoader(this.#read, this.#options);
    return this.#loader.load(key);
  }

  /** Forgets what was read. */
  clearAll(): void {
    this.#loader?.clearAll();
  }
}
