import type { Topic } from "../persistence/database/notifier.ts";

/** Waits for hints about one topic. A hint without a waiter is kept; several count as one. */
export interface Watch extends Disposable {
  /** Discards earlier hints: later reads are newer than them. */
  reset(): void;
  /** Resolves at the next hint since `reset`, when `timeoutMs` have passed, or when the watch is disposed. */
  changed(timeoutMs: number): Promise<void>;
}

/** Delivers hints to the watchers of their topic. It stores no payloads, so a slow reader costs nothing. */
export interface Hub {
  watch(topic: Topic): Watch;
  signal(topic: Topic): void;
  /** Wakes every watcher, because hints may have been lost. */
  signalAll(): void;
  /** The number of open watches, without those of tokens, which belong to connections. */
  readonly size: number;
}

export function createHub(): Hub {
  const watches = new Map<Topic, Set<() => void>>();
  return {
    watch(topic) {
      let hinted = false;
      let wake: (() => void) | null = null;
      const signal = (): void => {
        hinted = true;
        wake?.();
      };
      const peers = watches.get(topic) ?? new Set();
      watches.set(topic, peers.add(signal));
      return {
        reset() {
          hinted = false;
        },
        changed(timeoutMs) {
          if (hinted) return Promise.resolve();
          return new Promise((resolve) => {
            const timer = setTimeout(() => wake?.(), timeoutMs);
            wake = () => {
              clearTimeout(timer);
              wake = null;
              resolve();
            };
          });
        },
        [Symbol.dispose]() {
          peers.delete(signal);
          if (peers.size === 0 && watches.get(topic) === peers) watches.delete(topic);
          signal();
        },
      };
    },
    signal(topic) {
      for (const wake of watches.get(topic) ?? []) wake();
    },
    signalAll() {
      for (const peers of watches.values()) for (const wake of peers) wake();
    },
    get size() {
      let count = 0;
      for (const [topic, peers] of watches) if (!topic.startsWith("token:")) count += peers.size;
      return count;
    },
  };
}
