/** A queue between a producer that is called back and one consumer that iterates. */
export interface ItemQueue<TItem> extends AsyncIterableIterator<TItem, undefined, undefined> {
  push(item: TItem): void;
  /** The consumer gets what was pushed before, then this error, then the end. */
  fail(error: Error): void;
  /** The consumer gets what was pushed before, then the end. */
  end(): void;
  return(): Promise<IteratorReturnResult<undefined>>;
}

interface Waiter<TItem> {
  resolve(result: IteratorResult<TItem, undefined>): void;
  reject(error: Error): void;
}

/**
 * Makes a queue. It is no async generator, as the `return()` of one waits behind a pending `next()`, so that an idle
 * stream could not be closed. The iterator of graphql-ws shows items when they are read: a stream that resumes from the
 * last item that was read would get those again that wait in its buffer.
 *
 * @param onReturn called once when the consumer leaves early
 */
export function createItemQueue<TItem>(onReturn: () => void): ItemQueue<TItem> {
  const items: TItem[] = [];
  const waiters: Waiter<TItem>[] = [];
  const done: IteratorReturnResult<undefined> = { done: true, value: undefined };
  let ended = false;
  let failure: Error | undefined;

  function end(error?: Error): void {
    if (ended) return;
    ended = true;
    const first = error && waiters.shift();
    if (first) first.reject(error);
    else failure = error;
    for (const waiter of waiters.splice(0)) waiter.resolve(done);
  }

  return {
    push(item) {
      if (ended) return;
      const waiter = waiters.shift();
      if (waiter) waiter.resolve({ done: false, value: item });
      else items.push(item);
    },
    fail: (error) => end(error),
    end: () => end(),
    next() {
      const [item] = items.splice(0, 1);
      if (item !== undefined) return Promise.resolve({ done: false, value: item });
      if (failure) {
        const error = failure;
        failure = undefined;
        return Promise.reject(error);
      }
      if (ended) return Promise.resolve(done);
      return new Promise((resolve, reject) => {
        waiters.push({ resolve, reject });
      });
    },
    return() {
      const early = !ended;
      items.length = 0;
      failure = undefined;
      end();
      if (early) onReturn();
      return Promise.resolve(done);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
