/** Turns of calls that share a few processes. Those in the background give way to all others. */

export interface Turns {
  /**
   * Calls `work` in its turn. In the background `giveWay` aborts when another call waits for the turn: `work` ends early then, and
   * its caller may ask for another turn.
   */
  take<Result>(isBackground: boolean, work: (giveWay: AbortSignal) => Promise<Result>): Promise<Result>;
}

/** Creates turns of which `size` are taken at a time. In the background it is one less, unless there is only one. */
export function createTurns(size: number): Turns {
  const mostInBackground = Math.max(1, size - 1);
  const waiting: (() => void)[] = [];
  const waitingInBackground: (() => void)[] = [];
  const inBackground = new Set<AbortController>();
  let free = size;

  function next(): void {
    while (free > 0) {
      const hasRoom = inBackground.size < mostInBackground;
      const start = waiting.shift() ?? (hasRoom ? waitingInBackground.shift() : undefined);
      if (start === undefined) return;
      free--;
      start();
    }
    // One turn for each call that waits. Those that were asked before come first, and are ending.
    for (const turn of [...inBackground].slice(0, waiting.length)) turn.abort();
  }

  return {
    async take(isBackground, work) {
      const turn = new AbortController();
      const { promise, resolve } = Promise.withResolvers<void>();
      (isBackground ? waitingInBackground : waiting).push(() => {
        if (isBackground) inBackground.add(turn);
        resolve();
      });
      next();
      await promise;
      try {
        return await work(turn.signal);
      } finally {
        inBackground.delete(turn);
        free++;
        next();
      }
    },
  };
}
