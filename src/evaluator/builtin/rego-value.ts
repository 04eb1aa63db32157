/** Values of Rego. */

/** An object is a map if it has keys that are no strings. */
export type RegoObject = ReadonlyMap<RegoValue, RegoValue> | { readonly [key: string]: RegoValue };

/** Integers that a double cannot hold are bigints. */
export type RegoValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly RegoValue[]
  | ReadonlySet<RegoValue>
  | RegoObject;

export const isArray = (value: RegoValue | undefined): value is readonly RegoValue[] => Array.isArray(value);
export const isSet = (value: RegoValue | undefined): value is ReadonlySet<RegoValue> => value instanceof Set;
const isMap = (value: RegoValue | undefined): value is ReadonlyMap<RegoValue, RegoValue> => value instanceof Map;
export const isObject = (value: RegoValue | undefined): value is RegoObject =>
  typeof value === "object" && value !== null && !isArray(value) && !isSet(value);

/** Lists the keys and values of an object. */
export function entriesOf(value: RegoObject): [RegoValue, RegoValue][] {
  return isMap(value) ? [...value] : Object.entries(value);
}

/** Finds a member of an object or an array; undefined if there is none. */
export function memberOf(value: RegoValue | undefined, key: RegoValue): RegoValue | undefined {
  if (isArray(value)) return typeof key === "number" && Number.isInteger(key) ? value[key] : undefined;
  if (!isObject(value)) return undefined;
  if (isMap(value) || typeof key !== "string") return entriesOf(value).find(([one]) => isEqual(one, key))?.[1];
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Builds an object; the last value of a key counts. */
export function objectOf(entries: Iterable<readonly [RegoValue, RegoValue]>): RegoValue {
  const byKey = new Map<string, readonly [RegoValue, RegoValue]>();
  for (const entry of entries) byKey.set(toModuleText(entry[0]), entry);
  const all = [...byKey.values()];
  const named = all.flatMap(([key, value]) => (typeof key === "string" ? [[key, value] as const] : []));
  return named.length === all.length ? Object.fromEntries(named) : new Map(all);
}

/** Builds a set, in Rego's order. */
export function setOf(values: Iterable<RegoValue>): ReadonlySet<RegoValue> {
  const byText = new Map<string, RegoValue>();
  for (const value of values) byText.set(toModuleText(value), value);
  return new Set([...byText.values()].sort(compareValues));
}

/** The order of kinds of values. */
function rankOf(value: RegoValue): number {
  if (value === null) return 0;
  if (typeof value === "boolean") return 1;
  if (typeof value === "number" || typeof value === "bigint") return 2;
  if (typeof value === "string") return 3;
  if (isArray(value)) return 4;
  return isSet(value) ? 6 : 5;
}

/** Compares two values as Rego orders them. */
function compareValues(a: RegoValue, b: RegoValue): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === "boolean" || a === null || b === null) return Number(a) - Number(b);
  if (typeof a !== "object" || typeof b !== "object") return a < b ? -1 : Number(a > b);
  const [left, right] = [membersOf(a), membersOf(b)];
  for (const [index, one] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareValues(one, other);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function membersOf(value: RegoValue & object): readonly RegoValue[] {
  if (isArray(value)) return value;
  if (isSet(value)) return [...value].sort(compareValues);
  if (!isObject(value)) return [];
  const entries = entriesOf(value).sort(([a], [b]) => compareValues(a, b));
  return [...entries.map(([key]) => key), ...entries.map(([, one]) => one)];
}

export const isEqual = (a: RegoValue, b: RegoValue): boolean => compareValues(a, b) === 0;

/** Writes a value as a compiled module reads it. Equal values have equal texts. */
export function toModuleText(value: RegoValue): string {
  return writeValue(value, JSON.stringify, ",", ":");
}

/** Writes a value with its keys and members in order. */
export function writeValue(value: RegoValue, quote: (text: string) => string, comma: string, colon: string): string {
  const write = (one: RegoValue): string => writeValue(one, quote, comma, colon);
  if (typeof value === "string") return quote(value);
  if (value === null || typeof value !== "object") return String(value);
  if (isArray(value)) return `[${value.map(write).join(comma)}]`;
  if (isSet(value)) return value.size === 0 ? "set()" : `{${[...value].sort(compareValues).map(write).join(comma)}}`;
  if (!isObject(value)) return "{}";
  const entries = entriesOf(value).sort(([a], [b]) => compareValues(a, b));
  return `{${entries.map(([key, one]) => write(key) + colon + write(one)).join(comma)}}`;
}
