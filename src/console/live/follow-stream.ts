/** Follows a stream of the API for as long as a page wants it. Pure: no page, no connection. */

/** The receiver of the items. */
export interface Receiver<Item> {
  readonly next: (item: Item) => void;
  /** The stream has ended, and has nothing more to send. */
  readonly complete: () => void;
}

export interface Following<Item> {
  /** Opens the stream after the newest item that was received or, with `isFresh`, from now on. */
  readonly open: (isFresh: boolean) => AsyncIterable<Item>;
  /** Whether the server has forgotten the place from which the stream was to continue. */
  readonly isExpired: (item: Item) => boolean;
  /** Waits before a stream that has failed is opened again. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Passes items on until the stream ends. One that has failed is opened again where it was. One whose place has expired is
 * opened from now on: its receiver gets the item that states this, and reads again. Otherwise a page would look live and
 * learn of nothing.
 */
export async function followStream<Item>(
  { next, complete }: Receiver<Item>,
  { open, isExpired, pause, signal }: Following<Item>,
): Promise<void> {
  let hasExpired = false;
  while (!signal.aborted) {
    try {
      const items = open(hasExpired);
      hasExpired = false;
      for await (const item of items) {
        hasExpired = isExpired(item);
        next(item);
      }
      if (hasExpired) continue;
      if (!signal.aborted) complete();
      return;
    } catch {
      if (!signal.aborted) await pause();
    }
  }
}
