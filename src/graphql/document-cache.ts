/** Documents that are remembered, so that the same operation is parsed and validated once. */
const DOCUMENTS = 1000;
/** Longer documents are parsed each time: memory is bounded by the product of the two. */
const DOCUMENT_LENGTH = 10_000;

/** A bounded map that forgets what was not used for longest. */
export interface DocumentCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** What is kept in insertion order is kept in the order of its last use here, because each use inserts again. */
export function createDocumentCache<Value>(size: number = DOCUMENTS): DocumentCache<Value> {
  const entries = new Map<string, Value>();
  return {
    get: (key) => {
      const value = entries.get(key);
      if (value !== undefined) {
        entries.delete(key);
        entries.set(key, value);
      }
      return value;
    },
    set: (key, value) => {
      if (key.length > DOCUMENT_LENGTH) return;
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= size) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
  };
}
