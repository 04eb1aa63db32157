/** Shares one answer among all callers that ask while it is being found. */
export function coalesce<T>(ask: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  return () => {
    current ??= ask().finally(() => {
      current = null;
    });
    return current;
  };
}
