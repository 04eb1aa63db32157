/** Timers by ticks: adding one and taking those that are due cost the same for any number of others. Pure. */

export interface TimerWheel<Item> {
  /** Sets a timer. One whose time has passed is due at once. */
  add(atMs: number, item: Item): void;
  /** Takes the timers that are due, in the order of their ticks. */
  take(nowMs: number): Item[];
  readonly size: number;
}

/** Creates a wheel. `nowMs` is that of a clock that never goes back. */
export function createTimerWheel<Item>(tickMs: number, nowMs: number): TimerWheel<Item> {
  const slots = new Map<number, Item[]>();
  let taken = Math.floor(nowMs / tickMs) - 1;
  let size = 0;
  return {
    add(atMs, item) {
      // A tick is taken once: what comes late goes into the next one.
      const tick = Math.max(Math.ceil(atMs / tickMs), taken + 1);
      const slot = slots.get(tick);
      if (slot === undefined) slots.set(tick, [item]);
      else slot.push(item);
      size++;
    },
    take(now) {
      const until = Math.floor(now / tickMs);
      const due: Item[] = [];
      // After a long pause there are fewer slots than ticks.
      const ticks =
        until - taken > slots.size
          ? [...slots.keys()].filter((tick) => tick <= until).toSorted((a, b) => a - b)
          : Array.from({ length: until - taken }, (_none, index) => taken + 1 + index);
      for (const tick of ticks) {
        due.push(...(slots.get(tick) ?? []));
        slots.delete(tick);
      }
      taken = until;
      size -= due.length;
      return due;
    },
    get size() {
      return size;
    },
  };
}
