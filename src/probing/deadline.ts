/** The end of an attempt: after its time, or when the prober stops. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/**
 * Creates a signal that aborts after a time, or with `stop`, which must not have aborted before. A listener that is removed, in
 * place of `AbortSignal.any`: what a weak reference holds survives the collection of young objects, and 333 probes a second fill
 * the heap with it (ADR 10).
 */
export function startDeadline(ms: number, stop: AbortSignal | undefined): Deadline {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  const timer = setTimeout(end, ms);
  stop?.addEventListener("abort", end, { once: true });
  return {
    signal: ended.signal,
    [Symbol.dispose]() {
      clearTimeout(timer);
      stop?.removeEventListener("abort", end);
    },
  };
}

/** Ends a connection with a signal, until it is disposed. */
export function endWith(signal: AbortSignal, connection: { destroy(): unknown }): Disposable {
  const end = (): void => void connection.destroy();
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  return {
    [Symbol.dispose]() {
      signal.removeEventListener("abort", end);
      connection.destroy();
    },
  };
}
