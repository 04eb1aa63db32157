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
  /** Waits for hints about any of these topics. */
  watch(...topics: Topic[]): Watch;
  signal(topic: Topic): void;
  /** Wakes every watcher, because hints may have been lost. */
  signalAll(): void;
  /** The number of open watches, without those of tokens and their rights, which belong to connections. */
  readonly size: number;
}

export function createHub(): Hub {
  const watches = new Map<Topic, Set<() => void>>();
  return {
    watch(...topics) {
      let hinted = false;
      let wake: (() => void) | null = null;
      const signal = (): void => {
        hinted = true;
        wake?.();
      };
      for (const topic of topics) watches.set(topic, (watches.get(topic) ?? new Set()).add(signal));
      return {
        reset() {
          hinted = false;
        },
        changed(timeoutMs) {
          if (hinted) return Promise.resolve();
          return new Promise((resolve) => {
            const end = (): void => {
              clearTimeout(timer);
              // A later call may wait by now.
              if (wake === end) wake = null;
              resolve();
            };
            const timer = setTimeout(end, timeoutMs);
            wake = end;
          });
        },
        [Symbol.dispose]() {
          for (const topic of topics) {
            const peers = watches.get(topic);
            peers?.delete(signal);
            if (peers?.size === 0) watches.delete(topic);
          }
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
      for (const [topic, peers] of watches) if (!topic.startsWith("token:") && topic !== "rights") count += peers.size;
      return count;
    },
  };
}
