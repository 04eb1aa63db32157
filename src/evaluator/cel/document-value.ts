/** Values of JSON as CEL reads them, converted where a rule reads them: most of a large plan is never read. */
import { type CelList, celList, type CelMap, type CelValue, isCelMap } from "@bufbuild/cel";
import type { Json } from "../../model/plan/json.ts";

/** By this mark `@bufbuild/cel` knows a map. A test fails if a later version has another. */
const MAP_MARK = Symbol.for("@bufbuild/cel/map");

/** Converts a value. Whole numbers become ints, which CEL can add to the ints of a rule; others are doubles. */
export function toCelValue(value: Json): CelValue {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value === null || typeof value !== "object") return value;
  return Array.isArray(value) ? toCelList(value) : toCelMap(value);
}

/** Converts an object. It must not change afterwards. */
export function toCelMap(record: { [key: string]: Json }): CelMap {
  const map: unknown = new DocumentMap(record);
  if (!isCelMap(map)) throw new Error("@bufbuild/cel no longer accepts maps of others");
  return map;
}

function toCelList(items: readonly Json[]): CelList {
  return celList(items.map(toCelValue));
}

/**
 * A map over an object of JSON. The library's own map takes a key with the value null for one that is missing, and plans
 * are full of nulls.
 */
class DocumentMap {
  readonly [MAP_MARK] = {};
  readonly #record: { [key: string]: Json };
  /** Converted values: a rule in a loop reads them again. */
  readonly #values = new Map<string, CelValue>();

  constructor(record: { [key: string]: Json }) {
    this.#record = record;
  }

  get size(): number {
    return Object.keys(this.#record).length;
  }

  get(key: unknown): CelValue | undefined {
    if (typeof key !== "string") return undefined;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    // An inherited name, such as `constructor`, is no key.
    const json = Object.hasOwn(this.#record, key) ? this.#record[key] : undefined;
    if (json === undefined) return undefined;
    const value = toCelValue(json);
    if (typeof json === "object") this.#values.set(key, value);
    return value;
  }

  has(key: unknown): boolean {
    return typeof key === "string" && Object.hasOwn(this.#record, key);
  }

  keys(): MapIterator<string> {
    return new Map(Object.keys(this.#record).map((key) => [key, null])).keys();
  }

  *entries(): Generator<[string, CelValue]> {
    for (const [key, value] of Object.entries(this.#record)) yield [key, this.get(key) ?? toCelValue(value)];
  }

  *values(): Generator<CelValue> {
    for (const [, value] of this.entries()) yield value;
  }

  forEach(take: (value: CelValue, key: string, map: unknown) => void, self?: unknown): void {
    for (const [key, value] of this.entries()) take.call(self, value, key, this);
  }

  [Symbol.iterator](): Generator<[string, CelValue]> {
    return this.entries();
  }
}
