import { isRecord } from "./is-record.ts";
import { pathStep } from "./value-path.ts";

/**
 * Gives the paths at which two values differ, as `tags.Name`, `disks[0].key` or `tags["a.b"]`; the empty string is the
 * whole value. A list of another length differs as a whole. Where there are more than `most`, the paths one level above
 * are given, and so on up to the whole value.
 */
export function changedPaths(before: unknown, after: unknown, most: number): string[] {
  const found = pathsBelow(before, after, "", most);
  return found ?? [""];
}

/** Gives `null` where there are more than `most`. */
function pathsBelow(before: unknown, after: unknown, path: string, most: number): string[] | null {
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return joined(
      before.map((item: unknown, index) => [`${path}[${index}]`, item, after[index]]),
      most,
    );
  }
  if (isRecord(before) && isRecord(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return joined(
      [...keys].map((key) => [path + pathStep(key, path === ""), ownOf(before, key), ownOf(after, key)]),
      most,
    );
  }
  return isSame(before, after) ? [] : [path];
}

function joined(parts: readonly (readonly [path: string, before: unknown, after: unknown])[], most: number) {
  const paths: string[] = [];
  for (const [path, before, after] of parts) {
    for (const found of pathsBelow(before, after, path, most) ?? [path]) paths.push(found);
    if (paths.length > most) return null;
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
