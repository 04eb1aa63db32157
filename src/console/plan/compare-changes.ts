/** The differences between the changes of one resource in two plans. Pure. */
import { type Changed, type Difference, differences } from "./diff.ts";

/** A change of a resource in one of the plans. */
export interface ComparedChange extends Changed {
  readonly address: string;
  readonly action: string;
}

export interface ChangeComparison {
  /** How the objects after the apply differ. Empty if one of the plans leaves none. */
  readonly results: readonly Difference[];
  /** How the objects before the apply differ. Empty if one of the plans found none. */
  readonly origins: readonly Difference[];
}

/** Compares what two plans make of a resource, and what they found. Values that both hide or do not know yet count as equal. */
export function compareChanges(was: ComparedChange, is: ComparedChange): ChangeComparison {
  const sensitivePaths = onlyIn(was.sensitivePaths, is.sensitivePaths);
  const results =
    was.after == null || is.after == null
      ? []
      : differences({
          before: was.after,
          after: is.after,
          unknownPaths: is.unknownPaths.filter((path) => !was.unknownPaths.includes(path)),
          sensitivePaths,
        });
  const origins =
    was.before == null || is.before == null
      ? []
      : differences({ before: was.before, after: is.before, unknownPaths: [], sensitivePaths });
  return { results, origins };
}

/** Gives the paths that are in one of the lists alone. */
function onlyIn(one: readonly string[], other: readonly string[]): string[] {
  return [...one.filter((path) => !other.includes(path)), ...other.filter((path) => !one.includes(path))];
}
