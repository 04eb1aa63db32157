import { setTimeout as pause } from "node:timers/promises";

export interface LoopOptions {
  everyMs: number;
  /** Long work ends early when the signal is aborted. */
  work: (signal: AbortSignal) => Promise<unknown>;
  /** A round failed; the next one starts anyway. */
  onError: (error: unknown) => void;
}

/** Does something again and again until it is disposed; disposing waits for the round that is under way. */
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
