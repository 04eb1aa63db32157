import { setTimeout as sleep } from "node:timers/promises";

/** Spaces requests evenly, so that no more than a number of them begins in a second. */
export class Pace {
  readonly #gapMs: number;
  readonly #now: () => number;
  #nextMs = 0;

  constructor(perSecond: number, now: () => number) {
    this.#gapMs = 1000 / perSecond;
    this.#now = now;
  }

  /** Waits for the turn of one more request. Rejects if the signal aborts before; the turn is lost then. */
  async turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const now = this.#now();
    const mine = Math.max(this.#nextMs, now);
    this.#nextMs = mine + this.#gapMs;
    if (mine > now) await sleep(mine - now, undefined, { signal });
  }
}
