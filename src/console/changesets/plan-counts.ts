import type { ChangesetRowFragment } from "../generated/graphql.ts";
import type { PlanCounts } from "../parts/counts.tsx";

/** Gives the changes of all plans of a changeset together; `null` before the first plan. */
export function planOf({ counts, planDigest }: Pick<ChangesetRowFragment, "counts" | "planDigest">): PlanCounts | null {
  if (planDigest == null) return null;
  const { additions, changes, destructions } = counts;
  const hasChanges = additions + changes + destructions > 0;
  return { hasChanges, additions, changes, destructions, replacements: 0, forgets: 0, moves: 0, imports: 0 };
}
