/** Functions about objects, and JSON. */
import { arrayAt, type Arguments, type Builtins, objectAt, stringAt, undefinedResult } from "./operands.ts";
import { applyPatch } from "./json-patch.ts";
import {
  entriesOf,
  isArray,
  isEqual,
  isObject,
  isSet,
  memberOf,
  objectOf,
  type RegoValue,
  setOf,
} from "./rego-value.ts";

function get(args: Arguments): RegoValue {
  const object = objectAt(args, 0);
  const [, path = null, fallback = null] = args;
  if (!isArray(path)) return memberOf(object, path) ?? fallback;
  let value: RegoValue | undefined = object;
  for (const key of path) value = memberOf(value, key);
  return value ?? fallback;
}

function union(a: RegoValue, b: RegoValue): RegoValue {
  if (!isObject(a) || !isObject(b)) return b;
  const merged = entriesOf(b).map(([key, value]) => {
    const former = memberOf(a, key);
    return [key, former === undefined ? value : union(former, value)] as const;
  });
  return objectOf([...entriesOf(a), ...merged]);
}

function unionOfAll(args: Arguments): RegoValue {
  const objects = arrayAt(args, 0);
  if (!objects.every((one) => isObject(one))) throw undefinedResult("elements must be objects");
  return objects.reduce<RegoValue>(union, {});
}

/** The keys of an array, a set or an object. */
function keysOf(value: RegoValue | undefined): readonly RegoValue[] {
  if (isArray(value)) return value;
  if (isSet(value)) return [...value];
  if (isObject(value)) return entriesOf(value).map(([key]) => key);
  throw undefinedResult("keys must be an array, a set or an object");
}

function choose(args: Arguments, isKept: (isNamed: boolean) => boolean): RegoValue {
  const keys = keysOf(args[1]);
  const entries = entriesOf(objectAt(args, 0));
  return objectOf(entries.filter(([key]) => isKept(keys.some((named) => isEqual(named, key)))));
}

function isSubset(whole: RegoValue | undefined, part: RegoValue | undefined): boolean {
  if (isObject(whole) && isObject(part)) {
    return entriesOf(part).every(([key, value]) => {
      const other = memberOf(whole, key);
      return other !== undefined && (isEqual(other, value) || (areNested(other, value) && isSubset(other, value)));
    });
  }
  if (isSet(part) && (isSet(whole) || isArray(whole))) {
    const members = [...whole];
    return [...part].every((value) => members.some((member) => isEqual(member, value)));
  }
  if (isArray(whole) && isArray(part)) {
    return (
      whole.some((_, start) =>
        part.every((value, index) => isEqual(whole[start + index] ?? null, value) && start + index < whole.length),
      ) || part.length === 0
    );
  }
  throw undefinedResult("both operands must be objects, arrays or sets");
}

const areNested = (a: RegoValue, b: RegoValue): boolean =>
  (isObject(a) && isObject(b)) || (isSet(a) && isSet(b)) || (isArray(a) && isArray(b));

/** Gives a value as JSON shows it: sets are arrays. */
function asJson(value: RegoValue): unknown {
  if (typeof value === "bigint") return Number(value);
  if (isArray(value) || isSet(value)) return [...value].map(asJson);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    entriesOf(value)
      .map(([key, one]) => [typeof key === "string" ? key : JSON.stringify(asJson(key)), asJson(one)] as const)
      .sort(([a], [b]) => (a < b ? -1 : Number(a > b))),
  );
}

/** Go escapes these in JSON. */
const escaped = (text: string): string =>
  text.replaceAll(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

function marshalWithOptions(args: Arguments): string {
  const [value = null] = args;
  const options = new Map<RegoValue, RegoValue>(entriesOf(objectAt(args, 1)));
  const { prefix, indent } = { prefix: options.get("prefix") ?? "", indent: options.get("indent") ?? "\t" };
  if (typeof prefix !== "string" || typeof indent !== "string") throw undefinedResult("options must be strings");
  const isPretty = options.get("pretty") ?? (options.has("prefix") || options.has("indent"));
  if (isPretty !== true) return escaped(JSON.stringify(asJson(value)));
  // The platform shortens an indentation to ten characters.
  const lines = escaped(JSON.stringify(asJson(value), null, " ")).split("\n");
  const indented = lines.map((line) => {
    const depth = line.length - line.trimStart().length;
    return prefix + indent.repeat(depth) + line.trimStart();
  });
  return indented.join("\n");
}

export const OBJECTS: Builtins = {
  "object.get": get,
  "object.keys": (args) => setOf(entriesOf(objectAt(args, 0)).map(([key]) => key)),
  "object.union": (args) => union(objectAt(args, 0), objectAt(args, 1)),
  "object.union_n": unionOfAll,
  "object.remove": (args) => choose(args, (isNamed) => !isNamed),
  "object.filter": (args) => choose(args, (isNamed) => isNamed),
  "object.subset": ([whole, part]) => isSubset(whole, part),
  "json.patch": (args) => applyPatch(args[0] ?? null, arrayAt(args, 1)),
  "json.marshal_with_options": marshalWithOptions,
  "json.marshal": ([value = null]) => escaped(JSON.stringify(asJson(value))),
  "array.flatten": (args) => arrayAt(args, 0).flatMap((item) => (isArray(item) ? item : [item])),
  "glob.quote_meta": (args) => stringAt(args, 0).replaceAll(/[*?\\[\]{}]/g, "\\$&"),
};
