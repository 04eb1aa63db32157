import { setTimeout as sleep } from "node:timers/promises";
import type { RunnerLimits } from "../kit/runner-limits.ts";

/** Bounds of the waits between attempts. */
export type RetryLimits = Pick<RunnerLimits, "backOffFirstMs" | "backOffLastMs">;

/**
 * Waits with exponential back-off and jitter, so that many runners do not return to a restarted server in the same
 * instant.
 */
export class BackOff {
  readonly #limits: RetryLimits;
  #attempt = 0;

  constructor(limits: RetryLimits) {
    this.#limits = limits;
  }

  reset(): void {
    this.#attempt = 0;
  }

  /** Rejects with the signal's reason when it is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    const ceiling = Math.min(this.#limits.backOffFirstMs * 2 ** this.#attempt, this.#limits.backOffLastMs);
    this.#attempt = Math.min(this.#attempt + 1, 30);
    await sleep(ceiling / 2 + (Math.random() * ceiling) / 2, undefined, { signal });
  }
}
