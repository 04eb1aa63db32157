import { setTimeout as sleep } from "node:timers/promises";

/** A request that waits for its turn. */
interface Waiting {
  begin: () => void;
  isOver: boolean;
}

/** Spaces requests evenly, so that no more than a number of them begins in a second. Urgent ones come before others. */
export class Pace {
  readonly #gapMs: number;
  readonly #now: () => number;
  readonly #urgent: Waiting[] = [];
  readonly #others: Waiting[] = [];
  #nextMs = 0;
  #isRunning = false;

  constructor(perSecond: number, now: () => number) {
    this.#gapMs = 1000 / perSecond;
    this.#now = now;
  }

  /** Waits for the turn of one more request. Rejects if the signal aborts before. */
  async turn(signal: AbortSignal, { isUrgent }: { isUrgent: boolean }): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting: Waiting = { begin: resolve, isOver: false };
    const end = (): void => {
      waiting.isOver = true;
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
    (isUrgent ? this.#urgent : this.#others).push(waiting);
    if (!this.#isRunning) void this.#run();
    await promise;
    signal.removeEventListener("abort", end);
    signal.throwIfAborted();
  }

  /** Gives turns as long as something waits. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#urgent.length + this.#others.length > 0) {
      const leftMs = this.#nextMs - this.#now();
      if (leftMs > 0) await sleep(leftMs);
      const next = this.#urgent.shift() ?? this.#others.shift();
      if (next === undefined || next.isOver) continue;
      this.#nextMs = Math.max(this.#nextMs, this.#now()) + this.#gapMs;
      next.begin();
    }
    this.#isRunning = false;
  }
}
