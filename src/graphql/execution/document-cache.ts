/** Documents that are remembered, so that the same operation is parsed, validated and compiled once. */
const DOCUMENTS = 1000;
/** Longer ones are parsed each time: an operation that is sent again and again is shorter. */
const DOCUMENT_LENGTH = 10_000;
/** Of all that are remembered: a character can take 210 bytes when it is parsed, and as much again when it is compiled. */
const TEXT_LENGTH = 500_000;

/** A bounded map that forgets what was not used for longest. */
export interface DocumentCache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** What is kept in insertion order is kept in the order of its last use here, because each use inserts again. */
export function createDocumentCache<Value>(
  { size, length }: { size: number; length: number } = { size: DOCUMENTS, length: TEXT_LENGTH },
): DocumentCache<Value> {
  const entries = new Map<string, Value>();
  let used = 0;
  const forget = (key: string): void => {
    if (entries.delete(key)) used -= key.length;
  };
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
      forget(key);
      entries.set(key, value);
      used += key.length;
      for (const oldest of entries.keys()) {
        if (entries.size <= size && used <= length) return;
        forget(oldest);
      }
    },
  };
}
