/** The difference of an object before and after, as Terraform means it. Pure: no page, no API. */
import { join } from "./paths.ts";
import { isWithin } from "./paths.ts";

/**
 * `UNKNOWN`: known only after the apply. `SENSITIVE`: hidden. `FORMATTING`: two texts that are the same JSON. `ORDER`: a
 * list with the same entries in another order.
 */
export type DifferenceKind = "ADDED" | "REMOVED" | "CHANGED" | "UNKNOWN" | "SENSITIVE" | "FORMATTING" | "ORDER";

/** One attribute that differs. */
export interface Difference {
  readonly path: string;
  readonly kind: DifferenceKind;
  readonly before: unknown;
  readonly after: unknown;
  /** Whether it is within a text that is JSON. */
  readonly inJson: boolean;
}

/** The parts of a planned change that a difference needs. */
export interface Changed {
  readonly before?: unknown;
  readonly after?: unknown;
  readonly unknownPaths: readonly string[];
  readonly sensitivePaths: readonly string[];
}

type Fields = Record<string, unknown>;
type Walk = (path: string, before: unknown, after: unknown, inJson: boolean) => void;

/** Attributes by which entries of a list are known, in this order. */
const IDENTITIES = ["id", "name", "key", "Sid", "arn", "address"];

/** Lists all attributes that differ, in the order of the object after the change, then what is gone. */
export function differences({ before, after, unknownPaths, sensitivePaths }: Changed): Difference[] {
  const unknown = new Set(unknownPaths);
  const sensitive = new Set(sensitivePaths);
  const found: Difference[] = [];
  const add = (path: string, kind: DifferenceKind, from: unknown, to: unknown, inJson: boolean): void => {
    found.push({ path, kind, before: from, after: to, inJson });
  };
  const walk: Walk = (path, from, to, inJson) => {
    if (isWithin(path, unknown)) return add(path, "UNKNOWN", from, null, inJson);
    if (isWithin(path, sensitive)) return add(path, "SENSITIVE", null, null, inJson);
    if (equal(from, to) && !hasMarks(path, unknown)) return;
    if (isFields(from) && isFields(to)) return walkFields(walk, { path, inJson, marks: unknown }, from, to);
    if (Array.isArray(from) && Array.isArray(to)) {
      if (hasSameEntries(from, to)) return add(path, "ORDER", from, to, inJson);
      const count = found.length;
      walkList(walk, { path, inJson }, from, to);
      // An entry that is null is equal to one that is absent, but the lists are not.
      if (found.length === count) add(path, "CHANGED", from, to, inJson);
      return;
    }
    const [oldJson, newJson] = [parsed(from), parsed(to)];
    if (oldJson !== undefined && newJson !== undefined) {
      if (equal(oldJson, newJson)) return add(path, "FORMATTING", from, to, inJson);
      return walk(path, oldJson, newJson, true);
    }
    add(path, kindOf(from, to), from, to, inJson);
  };
  walk("", before ?? {}, after ?? {}, false);
  return found;
}

/** An object that is made or destroyed has no attribute without a value. */
function kindOf(from: unknown, to: unknown): DifferenceKind {
  if (from === undefined || from === null) return "ADDED";
  return to === undefined || to === null ? "REMOVED" : "CHANGED";
}

interface At {
  readonly path: string;
  readonly inJson: boolean;
}

function walkFields(
  walk: Walk,
  { path, inJson, marks }: At & { marks: ReadonlySet<string> },
  from: Fields,
  to: Fields,
): void {
  const names = new Set([...Object.keys(to), ...Object.keys(from)]);
  // A value that is known later need not be in the object.
  for (const mark of marks) {
    const rest = path === "" ? mark : mark.startsWith(`${path}.`) ? mark.slice(path.length + 1) : "";
    const name = /^[^.[]+/.exec(rest)?.[0];
    if (name !== undefined) names.add(name);
  }
  for (const name of names) walk(join(path, name), fieldOf(from, name), fieldOf(to, name), inJson);
}

/** Compares entries that have the same identity, or else the same position. */
function walkList(walk: Walk, { path, inJson }: At, from: readonly unknown[], to: readonly unknown[]): void {
  const identity = IDENTITIES.find((name) => isIdentity(name, from) && isIdentity(name, to));
  if (identity === undefined) {
    for (let at = 0; at < Math.max(from.length, to.length); at += 1) walk(join(path, at), from[at], to[at], inJson);
    return;
  }
  const keyOf = (entry: unknown): unknown => (isFields(entry) ? entry[identity] : undefined);
  const former = new Map(from.map((entry) => [keyOf(entry), entry]));
  for (const [at, entry] of to.entries()) {
    const key = keyOf(entry);
    walk(join(path, at), former.get(key), entry, inJson);
    former.delete(key);
  }
  for (const [key, entry] of former)
    walk(
      join(
        path,
        from.findIndex((old) => keyOf(old) === key),
      ),
      entry,
      undefined,
      inJson,
    );
}

function isIdentity(name: string, entries: readonly unknown[]): boolean {
  const keys = entries.map((entry) => (isFields(entry) ? entry[name] : undefined));
  return keys.every((key) => typeof key === "string" && key !== "") && new Set(keys).size === keys.length;
}

function hasSameEntries(from: readonly unknown[], to: readonly unknown[]): boolean {
  if (from.length !== to.length) return false;
  const sorted = (entries: readonly unknown[]): string[] => entries.map(canonical).toSorted();
  const [old, now] = [sorted(from), sorted(to)];
  return old.every((entry, at) => entry === now[at]);
}

function hasMarks(path: string, marks: ReadonlySet<string>): boolean {
  if (path === "") return marks.size > 0;
  for (const mark of marks) if (mark.startsWith(`${path}.`) || mark.startsWith(`${path}[`)) return true;
  return false;
}

/** Gives the value of a text that is a JSON object or list; `undefined` for all else. */
function parsed(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return undefined;
  try {
    const json: unknown = JSON.parse(value);
    return json;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether values have equal canonical texts, without writing them: most of a plan is equal. */
function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((entry, at) => equal(entry, b[at]));
  }
  if (!isFields(a) || !isFields(b)) return (a ?? null) === (b ?? null);
  return (
    Object.keys(a).every((name) => equal(a[name], fieldOf(b, name))) &&
    Object.keys(b).every((name) => Object.hasOwn(a, name) || (b[name] ?? null) === null)
  );
}

/** Gives a field of an object; `undefined` for what it has from its prototype alone. */
function fieldOf(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Writes a value so that equal values have equal texts. Absent and null are the same to Terraform. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isFields(value)) return JSON.stringify(value ?? null);
  const names = Object.keys(value).filter((name) => value[name] !== null && value[name] !== undefined);
  const fields = names.toSorted().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`);
  return `{${fields.join()}}`;
}
