import { useEffect, useState } from "react";
import { PlanChangesDocument } from "../generated/graphql.ts";
import { client } from "../live/link.ts";
import { type Pattern, type PlannedChange, patternsOf } from "./pattern.ts";

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
    let isWanted = true;
    const read = async (): Promise<void> => {
      setLoaded(NOTHING);
      const changes: PlannedChange[] = [];
      let after: string | null = null;
      do {
        const { node }: Awaited<ReturnType<typeof page>> = await page(planId, after);
        if (!isWanted) return;
        const found = node?.__typename === "Plan" ? node.resourceChanges : null;
        if (found === null) throw new Error("The plan is gone.");
        changes.push(...found.edges.map((edge) => edge.node));
        after = found.pageInfo.hasNextPage ? (found.pageInfo.endCursor ?? null) : null;
        const isComplete = after === null;
        // Grouping a plan of thousands takes a while: it is done for the first page, and at the end.
        if (isComplete || changes.length <= found.edges.length) {
          setLoaded({ patterns: patternsOf(changes), count: changes.length, isComplete, problem: null });
        }
      } while (after !== null);
    };
    read().catch((error: unknown) => {
      if (isWanted)
        setLoaded((known) => ({ ...known, problem: error instanceof Error ? error.message : String(error) }));
    });
    return () => {
      isWanted = false;
    };
  }, [planId]);
  return loaded;
}

const page = (id: string, after: string | null) => client.request(PlanChangesDocument, { id, after });
