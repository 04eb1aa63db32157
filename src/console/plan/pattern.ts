/** Groups planned changes that do the same, so that the few that differ are seen among thousands. Pure. */
import { canonical, type Changed, type Difference, differences } from "./diff.ts";
import { withoutPositions } from "./paths.ts";

/** A planned change of one resource, as the API gives it. */
export interface PlannedChange extends Changed {
  readonly address: string;
  /** Equal for changes that a person sees as equal, in any plan. */
  readonly digest: string;
  readonly action: string;
  readonly type: string;
  readonly previousAddress?: string | null;
  readonly imported: boolean;
  readonly createBeforeDestroy?: boolean | null;
  /** The attributes that force a replacement. */
  readonly replacePaths?: readonly string[];
  /** The resources and modules on which it depends directly. */
  readonly dependsOn?: readonly string[];
  /** Why the engine takes the action, where it states that. */
  readonly reason?: string | null;
}

export interface DescribedChange {
  readonly change: PlannedChange;
  readonly differences: readonly Difference[];
  /** Equal for changes that do the same. */
  readonly key: string;
}

/** Changes with one action on one type of resource that change the same attributes in the same way. */
export interface Pattern {
  readonly key: string;
  readonly action: string;
  readonly type: string;
  readonly changes: readonly DescribedChange[];
}

/** The order in which changes are read: what takes something away is first, and what does nothing is last. */
const DANGER = ["DELETE", "REPLACE", "FORGET", "UPDATE", "CREATE", "READ", "NO_OP"];

/** Gives how dangerous an action is: 0 is the most dangerous; one that this page does not know counts as that. */
export const dangerOf = (action: string): number => Math.max(0, DANGER.indexOf(action));

/** Finds what a change changes: the work of a plan of thousands, which can be done piece by piece. */
export function describeChange(change: PlannedChange): DescribedChange {
  const found = differences(change);
  return { change, differences: found, key: keyOf(change, found) };
}

/** Groups changes. Patterns are in the order of danger, and of one action the small ones first: they are the odd ones. */
export function patternsOf(changes: readonly DescribedChange[]): Pattern[] {
  const groups = new Map<string, { key: string; action: string; type: string; changes: DescribedChange[] }>();
  for (const described of changes) {
    const { key, change } = described;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { key, action: change.action, type: change.type, changes: [described] });
    else group.changes.push(described);
  }
  return [...groups.values()].toSorted(
    (a, b) =>
      dangerOf(a.action) - dangerOf(b.action) ||
      a.changes.length - b.changes.length ||
      (a.changes[0]?.change.address ?? "").localeCompare(b.changes[0]?.change.address ?? ""),
  );
}

/** Names a change without the object that it changes. Objects that come and go differ in all their values: their type decides. */
function keyOf({ action, type, previousAddress, imported }: PlannedChange, found: readonly Difference[]): string {
  const moved = [imported ? "imported" : "", previousAddress == null ? "" : "moved"];
  if (action === "CREATE" || action === "READ" || action === "DELETE") return [action, type, ...moved].join("\0");
  const parts = found
    .filter(({ kind }) => kind !== "UNKNOWN")
    .map(({ path, kind, before, after }) =>
      [withoutPositions(path), kind, canonical(before), canonical(after)].join("\0"),
    );
  return [action, type, ...moved, ...new Set(parts.toSorted())].join("\0");
}
