import { setTimeout as pause } from "node:timers/promises";

export interface LoopOptions {
  everyMs: number;
  /** The work of a round; long work should end early once the signal is aborted. */
  work: (signal: AbortSignal) => Promise<unknown>;
  /** Handles the failure of a round; the next round starts anyway. */
  onError: (error: unknown) => void;
}

/** Repeats work at an interval until it is disposed; disposing waits for the current round. */
export function startLoop({ everyMs, work, onError }: LoopOptions): AsyncDisposable {
  const stop = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    for (;;) {
      await pause(everyMs, undefined, { signal: stop.signal }).catch(() => undefined);
      if (stop.signal.aborted) return;
      await work(stop.signal).catch(onError);
    }
  }

  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
