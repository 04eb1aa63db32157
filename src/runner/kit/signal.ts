/** Wakes all current waiters. */
export class Signal {
  #next = Promise.withResolvers<void>();

  raise(): void {
    const waiting = this.#next;
    this.#next = Promise.withResolvers<void>();
    waiting.resolve();
  }

  wait(): Promise<void> {
    return this.#next.promise;
  }
}
