import type { IndexedChange } from "./plan-index.ts";

/** The differences between the changes of two plans. */
export interface PlanComparison {
  /** Changes of resources that the other plan does not change. */
  added: IndexedChange[];
  /** Changes of the other plan, of resources that this one does not change. */
  removed: IndexedChange[];
  /** Changes of resources that both change, as this plan has them. */
  altered: IndexedChange[];
  sameCount: number;
}

/** Compares the changes of a plan with those of another one: by address, then by digest. */
export function comparePlans(changes: readonly IndexedChange[], others: readonly IndexedChange[]): PlanComparison {
  const comparison: PlanComparison = { added: [], removed: [], altered: [], sameCount: 0 };
  // Instances whose keys are masked share an address.
  const byAddress = Map.groupBy(others, ({ address }) => address);
  for (const [address, own] of Map.groupBy(changes, (change) => change.address)) {
    const other = byAddress.get(address) ?? [];
    byAddress.delete(address);
    const differing = withoutEqual(own, other);
    const left = withoutEqual(other, own);
    comparison.sameCount += own.length - differing.length;
    comparison.altered.push(...differing.slice(0, left.length));
    comparison.added.push(...differing.slice(left.length));
    comparison.removed.push(...left.slice(differing.length));
  }
  comparison.removed.push(...[...byAddress.values()].flat());
  return comparison;
}

/** Returns the changes that are left when each equal one of the others has taken one, the first ones first. */
function withoutEqual(changes: readonly IndexedChange[], others: readonly IndexedChange[]): IndexedChange[] {
  const counts = new Map<string, number>();
  for (const { digest } of others) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  return changes.filter(({ digest }) => {
    const count = counts.get(digest) ?? 0;
    counts.set(digest, count - 1);
    return count <= 0;
  });
}
