import { isRecord } from "./is-record.ts";
import { pathStep } from "./value-path.ts";

/** Whether two parts are equal of which at most one can be walked through. */
type Equality = (before: unknown, after: unknown) => boolean;

/**
 * Gives the paths at which two values differ, as `tags.Name`, `disks[0].key` or `tags["a.b"]`; the empty string is the
 * whole value. A list of another length differs as a whole. Where there are more than `most`, the paths one level above
 * are given, and so on up to the whole value.
 */
export function changedPaths(before: unknown, after: unknown, most: number, equals: Equality = isSame): string[] {
  const found = pathsBelow(before, after, "", { most, equals });
  return found ?? [""];
}

interface Walk {
  most: number;
  equals: Equality;
}

/** Gives `null` where there are more than `most`. */
function pathsBelow(before: unknown, after: unknown, path: string, walk: Walk): string[] | null {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return joined(
      before.map((item: unknown, index) => [`${path}[${index}]`, item, after[index]]),
      walk,
    );
  }
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return joined(
      [...keys].map((key) => [path + pathStep(key, path === ""), ownOf(before, key), ownOf(after, key)]),
      walk,
    );
  }
  return walk.equals(before, after) ? [] : [path];
}

function joined(parts: readonly (readonly [path: string, before: unknown, after: unknown])[], walk: Walk) {
  const paths: string[] = [];
  for (const [path, before, after] of parts) {
    for (const found of pathsBelow(before, after, path, walk) ?? [path]) paths.push(found);
    if (paths.length > walk.most) return null;
  }
  return paths;
}

function ownOf(record: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** An absent part and null are equal: engines write one for the other. */
function isSame(before: unknown, after: unknown): boolean {
  const [a, b] = [before ?? null, after ?? null];
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  return a === null && b === null;
}

/** As `changedPaths` compares, but an empty list or map equals null: providers read one where the state has the other. */
export function isSameOrEmpty(before: unknown, after: unknown): boolean {
  return isSame(before, after) || (isEmpty(before) && isEmpty(after));
}

function isEmpty(value: unknown): boolean {
  const isContainer = Array.isArray(value) || isRecord(value);
  return isContainer ? Object.keys(value).length === 0 : (value ?? null) === null;
}
