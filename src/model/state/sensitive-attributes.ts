/** Finds the sensitive parts of a resource in a state (format 4), by the paths in `sensitive_attributes`. */
import { dynamicValue } from "./dynamic-value.ts";
import { eachText } from "../kit/each-text.ts";
import { isRecord } from "../kit/is-record.ts";

type Take = (text: string) => void;

/** A part of the attributes that is sensitive, or that has sensitive parts. */
interface Part {
  isSensitive: boolean;
  /** The sensitive parts below, by their key as JSON. */
  below: Map<string, { key: unknown; part: Part }>;
}

/**
 * Calls `take` with each text and number that the paths lead to, and with no other. If a step is not found, all later
 * parts with its name are taken, so that an unknown format reveals no secret.
 */
export function eachSensitiveText(attributes: unknown, paths: unknown, take: Take): void {
  takePart(attributes, partsOf(paths), take);
}

/** Returns the names of attributes with sensitive parts; `null` if all attributes are sensitive. */
export function sensitiveNames(paths: unknown): Set<string> | null {
  const { isSensitive, below } = partsOf(paths);
  if (isSensitive) return null;
  return new Set([...below.values()].map(({ key }) => String(key)));
}

function partsOf(paths: unknown): Part {
  const root: Part = { isSensitive: false, below: new Map() };
  for (const path of asArray(paths)) {
    if (!Array.isArray(path)) continue;
    let part = root;
    for (const step of path) part = partBelow(part, keyOf(step));
    part.isSensitive = true;
  }
  return root;
}

function partBelow({ below }: Part, key: unknown): Part {
  const name = JSON.stringify(key) ?? "";
  const known = below.get(name);
  if (known !== undefined) return known.part;
  const part: Part = { isSensitive: false, below: new Map() };
  below.set(name, { key, part });
  return part;
}

/**
 * Returns the key of a step: `{type: "get_attr", value: name}` or `{type: "index", value: {value: key, type:
 * "string"}}`.
 */
function keyOf(step: unknown): unknown {
  const value = isRecord(step) ? step["value"] : undefined;
  return isRecord(value) ? value["value"] : value;
}

/**
 * Takes the sensitive parts of a stored value. `isTyped`: the value is within one that was stored with its type, so no
 * part of it is.
 */
function takePart(stored: unknown, { isSensitive, below }: Part, take: Take, isTyped = false): void {
  if (isSensitive) return isTyped ? eachText(stored, take) : eachStoredText(stored, take);
  const dynamic = isTyped ? null : dynamicValue(stored);
  const value = dynamic === null ? stored : dynamic.value;
  const lost = new Map<unknown, Part>();
  for (const { key, part } of below.values()) {
    const items = itemsAt(value, key);
    for (const item of items) takePart(item, part, take, isTyped || dynamic !== null);
    if (items.length > 0) continue;
    // A plain object can have a `value` and a `type` too.
    const own = itemsAt(stored, key);
    for (const item of own) takePart(item, part, take);
    if (own.length === 0) lost.set(key, part);
  }
  if (lost.size === 0) return;
  if (typeof value === "object") takeLost(value, lost, take);
  else eachText(value, take);
}

/** Returns the targets of a step: one item, or all items of a set that it may mean. */
function itemsAt(value: unknown, key: unknown): unknown[] {
  if (Array.isArray(value)) {
    if (typeof key === "number") return key in value ? [value[key]] : [];
    // The key of an element of a set is the element.
    const name = JSON.stringify(key);
    const same = value.filter((item) => JSON.stringify(item) === name);
    return same.length > 0 ? same : value;
  }
  return isRecord(value) && typeof key === "string" && Object.hasOwn(value, key) ? [value[key]] : [];
}

/** Finds parts by their names at any depth below a value. */
function takeLost(stored: unknown, lost: ReadonlyMap<unknown, Part>, take: Take): void {
  const dynamic = dynamicValue(stored);
  const value = dynamic === null ? stored : dynamic.value;
  if (Array.isArray(value)) for (const item of value) takeLost(item, lost, take);
  if (!isRecord(value)) return;
  for (const [name, item] of Object.entries(value)) {
    const part = lost.get(name);
    if (part === undefined) takeLost(item, lost, take);
    else takePart(item, part, take);
  }
}

/** Calls `take` for values, without the types stored beside them. */
function eachStoredText(stored: unknown, take: Take): void {
  const dynamic = dynamicValue(stored);
  if (dynamic !== null) return eachText(dynamic.value, take);
  if (Array.isArray(stored)) for (const item of stored) eachStoredText(item, take);
  else if (isRecord(stored)) for (const item of Object.values(stored)) eachStoredText(item, take);
  else eachText(stored, take);
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
