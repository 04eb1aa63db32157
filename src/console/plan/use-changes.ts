import { useEffect, useState } from "react";
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
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const described: DescribedChange[] = [];
    const show = (change: Partial<LoadedPlan>): void => {
      if (!signal.aborted) setLoaded((known) => ({ ...known, count: described.length, ...change }));
    };
    const read = async (): Promise<void> => {
      setLoaded(NOTHING);
      await readChanges(planId, {
        signal,
        onChanges(changes) {
          described.push(...changes.map(describeChange));
          show({});
        },
      });
      show({ patterns: patternsOf(described), isComplete: true });
    };
    read().catch((error: unknown) => show({ problem: error instanceof Error ? error.message : String(error) }));
    return () => controller.abort();
  }, [planId]);
  return loaded;
}
