/** Shares one pending call among all callers that come before it ends. */
export function coalesce<T>(ask: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  return () => {
    current ??= ask().finally(() => {
      current = null;
    });
    return current;
  };
}
