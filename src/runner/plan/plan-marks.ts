import { eachText } from "../../model/kit/each-text.ts";
import { isRecord } from "../../model/kit/is-record.ts";
import { pathStep } from "../../model/kit/value-path.ts";
import type { Json } from "../../model/plan/json.ts";

/** The engine's marks on a value (sensitive, unknown): true for the whole value, or marks of its parts by key. */
export type Marks = boolean | Marks[] | { [key: string]: Marks };

/** Reads marks. Values other than true and structures mark nothing. */
export function toMarks(value: unknown): Marks {
  if (value === true) return true;
  if (Array.isArray(value)) return value.map(toMarks);
  if (isRecord(value)) return mapRecord(value, toMarks);
  return false;
}

/** Merges marks: a part is marked if either marks it. */
export function mergeMarks(a: Marks, b: Marks): Marks {
  if (a === true || b === true) return true;
  if (a === false) return b;
  if (b === false) return a;
  if (Array.isArray(a) && Array.isArray(b)) {
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) =>
      mergeMarks(a[index] ?? false, b[index] ?? false),
    );
  }
  if (!Array.isArray(a) && !Array.isArray(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return Object.fromEntries([...keys].map((key) => [key, mergeMarks(own(a, key), own(b, key))]));
  }
  // The value changes its shape: no part of it is safe to show.
  return marksAnything(a) || marksAnything(b);
}

export function marksAnything(marks: Marks): boolean {
  if (typeof marks === "boolean") return marks;
  return (Array.isArray(marks) ? marks : Object.values(marks)).some(marksAnything);
}

/** Gives the paths of marked parts, as `tags.Name`, `disks[0].key` or `tags["a.b"]`; the empty string is the whole value. */
export function markedPaths(marks: Marks, prefix = ""): string[] {
  if (typeof marks === "boolean") return marks ? [prefix] : [];
  if (Array.isArray(marks)) return marks.flatMap((mark, index) => markedPaths(mark, `${prefix}[${index}]`));
  return Object.entries(marks).flatMap(([key, mark]) => markedPaths(mark, prefix + pathStep(key, prefix === "")));
}

/** Replaces each marked part of a value by null. */
export function withoutMarked(value: Json, marks: Marks): Json {
  if (marks === true) return null;
  if (marks === false || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      withoutMarked(item, Array.isArray(marks) ? (marks[index] ?? false) : marksAnything(marks)),
    );
  }
  if (Array.isArray(marks)) return marksAnything(marks) ? null : value;
  return mapRecord(value, (item, key) => withoutMarked(item, own(marks, key)));
}

/** Replaces each marked part of a value by null, and adds null for marked parts that are missing. */
export function withNullWhereMarked(value: Json | undefined, marks: Marks): Json | undefined {
  if (marks === true) return null;
  if (!marksAnything(marks) || typeof marks === "boolean") return value;
  if (Array.isArray(marks)) {
    const items = Array.isArray(value) ? value : [];
    const length = Math.max(items.length, marks.length);
    return Array.from({ length }, (_, index) => withNullWhereMarked(items[index], marks[index] ?? false) ?? null);
  }
  const entries: [string, Json][] = isJsonRecord(value) ? Object.entries(value) : [];
  const known = new Map(entries);
  for (const [key, mark] of Object.entries(marks)) {
    const part = withNullWhereMarked(known.get(key), mark);
    if (part !== undefined) known.set(key, part);
  }
  return Object.fromEntries(known);
}

/** Calls `take` with each text and number in the marked parts of a value. */
export function eachMarked(value: unknown, marks: Marks, take: (text: string) => void): void {
  if (marks === false) return;
  if (marks === true) return eachText(value, take);
  if (Array.isArray(value)) {
    value.forEach((item, index) =>
      eachMarked(item, Array.isArray(marks) ? (marks[index] ?? false) : marksAnything(marks), take),
    );
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) {
      eachMarked(item, Array.isArray(marks) ? marksAnything(marks) : own(marks, key), take);
    }
  }
}

/**
 * Calls `take` with each text and number of a value at the paths that are marked in another value. An item of a list that
 * the other value has unmarked at another index has only moved and is left out.
 */
export function eachMarkedBeside(
  value: unknown,
  other: { value: unknown; marks: Marks },
  take: (text: string) => void,
): void {
  const { marks } = other;
  if (marks === true) return eachText(value, take);
  if (!marksAnything(marks) || typeof marks === "boolean") return;
  if (Array.isArray(marks)) {
    if (!Array.isArray(value)) return;
    const others = Array.isArray(other.value) ? other.value : [];
    const open = new Set(
      others.filter((_, at) => !marksAnything(marks[at] ?? false)).map((item) => JSON.stringify(item)),
    );
    for (const [at, item] of value.entries()) {
      if (open.has(JSON.stringify(item))) continue;
      eachMarkedBeside(item, { value: others[at], marks: marks[at] ?? false }, take);
    }
  } else if (isRecord(value)) {
    const others = isRecord(other.value) ? other.value : {};
    for (const [key, item] of Object.entries(value)) {
      const beside = Object.hasOwn(others, key) ? others[key] : undefined;
      eachMarkedBeside(item, { value: beside, marks: own(marks, key) }, take);
    }
  }
}

/** Reads own keys only: a value may have a key such as `constructor`. */
function own(marks: { [key: string]: Marks }, key: string): Marks {
  return Object.hasOwn(marks, key) ? (marks[key] ?? false) : false;
}

/** Maps the values of a record. `fromEntries` keeps a key named __proto__ a key. */
function mapRecord<A, B>(record: { [key: string]: A }, map: (value: A, key: string) => B): { [key: string]: B } {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

function isJsonRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
