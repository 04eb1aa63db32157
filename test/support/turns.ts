/** Settles one promise in each turn of the event loop, in an order that does not depend on who waits for it. */
export interface Turns {
  later<Value>(order: number, make: () => Value): Promise<Value>;
}

export function createTurns(): Turns {
  const waiting: { order: number; settle: () => void }[] = [];
  const turn = (): void => {
    waiting.sort((one, other) => one.order - other.order);
    waiting.shift()?.settle();
    if (waiting.length > 0) setImmediate(turn);
  };
  return {
    later(order, make) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ order, settle: resolve });
      if (waiting.length === 1) setImmediate(turn);
      return promise.then(make);
    },
  };
}
