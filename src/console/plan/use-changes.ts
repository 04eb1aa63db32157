import { useEffect, useRef, useState } from "react";
import { isLostFile } from "../live/file-error.ts";
import { untilRetry } from "../live/retry.ts";
import { type DescribedChange, describeChange, type Pattern, patternsOf } from "./pattern.ts";
import { readChanges } from "./read-changes.ts";

/** The changes of a plan, as far as they have come. */
export interface LoadedPlan {
  readonly patterns: readonly Pattern[];
  readonly count: number;
  readonly isComplete: boolean;
  readonly problem: string | null;
}

const NOTHING: LoadedPlan = { patterns: [], count: 0, isComplete: false, problem: null };

/** Reads all changes of a plan. A plan never changes, so they stay outside of the cache, and are read once. */
export function useChanges(planId: string): LoadedPlan {
  const [loaded, setLoaded] = useState(NOTHING);
  const complete = useRef<string | null>(null);
  useEffect(() => {
    // A part that is shown again runs its effects again.
    if (complete.current === planId) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const show = (change: Partial<LoadedPlan>): void => {
      if (!signal.aborted) setLoaded((known) => ({ ...known, ...change }));
    };
    const read = async (): Promise<void> => {
      const described: DescribedChange[] = [];
      show(NOTHING);
      await readChanges(planId, {
        signal,
        onChanges(changes) {
          described.push(...changes.map(describeChange));
          show({ count: described.length });
        },
      });
      signal.throwIfAborted();
      complete.current = planId;
      show({ patterns: patternsOf(described), isComplete: true });
    };
    const readUntilDone = async (): Promise<void> => {
      while (!signal.aborted) {
        try {
          await read();
          return;
        } catch (error) {
          show({ problem: error instanceof Error ? error.message : String(error) });
          if (!isLostFile(error)) return;
          await untilRetry(signal);
        }
      }
    };
    void readUntilDone();
    return () => controller.abort();
  }, [planId]);
  return loaded;
}
