import { setTimeout } from "node:timers/promises";
import type { Watch } from "./hub.ts";

/** Makes a watch that reports changes at most once in `pauseMs` after the last `reset`, however many hints arrive. */
export function pacedWatch(watch: Watch, pauseMs: number): Watch {
  const disposal = new AbortController();
  const { signal } = disposal;
  let resetAtMs = Number.NEGATIVE_INFINITY;
  return {
    reset() {
      watch.reset();
      resetAtMs = performance.now();
    },
    async changed(timeoutMs) {
      await watch.changed(timeoutMs);
      const leftMs = resetAtMs + pauseMs - performance.now();
      if (leftMs > 0) await setTimeout(leftMs, undefined, { signal }).catch(() => undefined);
    },
    [Symbol.dispose]() {
      disposal.abort();
      watch[Symbol.dispose]();
    },
  };
}
