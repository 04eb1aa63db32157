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
    const left = [...(byAddress.get(address) ?? [])];
    byAddress.delete(address);
    const differing = own.filter(({ digest }) => !take(left, (other) => other.digest === digest));
    comparison.sameCount += own.length - differing.length;
    for (const change of differing) {
      (take(left, () => true) ? comparison.altered : comparison.added).push(change);
    }
    comparison.removed.push(...left);
  }
  comparison.removed.push(...[...byAddress.values()].flat());
  return comparison;
}

/** Removes the first item that matches. */
function take<Item>(items: Item[], matches: (item: Item) => boolean): boolean {
  const at = items.findIndex(matches);
  if (at !== -1) items.splice(at, 1);
  return at !== -1;
}
