import { eachText } from "../../model/kit/each-text.ts";
import { isRecord } from "../../model/kit/is-record.ts";
import type { Json } from "../../model/plan/plan.ts";

/** What the engine says about parts of a value (sensitive, unknown): true for the whole, or for parts of it by key. */
export type Marks = boolean | Marks[] | { [key: string]: Marks };

/** Whatever is neither true nor a structure marks nothing. */
export function toMarks(value: unknown): Marks {
  if (value === true) return true;
  if (Array.isArray(value)) return value.map(toMarks);
  if (isRecord(value)) return mapRecord(value, toMarks);
  return false;
}

/** What either of the two marks. */
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
  // A value that changes its shape: nothing of it can be shown safely.
  return marksAnything(a) || marksAnything(b);
}

export function marksAnything(marks: Marks): boolean {
  if (typeof marks === "boolean") return marks;
  return (Array.isArray(marks) ? marks : Object.values(marks)).some(marksAnything);
}

/** Paths of the marked parts, as `tags.Name`, `disks[0].key` or `tags["a.b"]`; the empty string is the whole value. */
export function markedPaths(marks: Marks, prefix = ""): string[] {
  if (typeof marks === "boolean") return marks ? [prefix] : [];
  if (Array.isArray(marks)) return marks.flatMap((mark, index) => markedPaths(mark, `${prefix}[${index}]`));
  return Object.entries(marks).flatMap(([key, mark]) => markedPaths(mark, prefix + step(key, prefix === "")));
}

/** The value with null in the place of each marked part that it has. */
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

/** The value with null in the place of each marked part, also where it has no such part yet. */
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
  if (marks === false || value === null || value === undefined) return;
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
 * Calls `take` with each text and number of a value in the place of what is marked in another one. An item of a list that
 * the other one has unmarked elsewhere has only moved: it is left out.
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

/** Own keys only: a value may have a key named like something that every object has. */
function own(marks: { [key: string]: Marks }, key: string): Marks {
  return Object.hasOwn(marks, key) ? (marks[key] ?? false) : false;
}

function step(key: string, first: boolean): string {
  if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
  return first ? key : `.${key}`;
}

/** `fromEntries` and not assignment: a key named __proto__ stays a key. */
function mapRecord<A, B>(record: { [key: string]: A }, map: (value: A, key: string) => B): { [key: string]: B } {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

function isJsonRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
