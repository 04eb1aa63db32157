import {
  getNullableType,
  type GraphQLNullableOutputType,
  type GraphQLOutputType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from "graphql";
import type { FieldStep, ReadPlain, Selection } from "./field-step.ts";

/**
 * Makes a reader of values of which only properties are selected, if the properties are sent as they are: a page of log
 * lines, the outputs of a workspace. Executing a thousand lines and their edges takes five times as long.
 */
export function readPlain(type: GraphQLOutputType, stepsOf: Selection): ReadPlain {
  const read = readPresent(getNullableType(type), stepsOf);
  return isNonNullType(type) ? read : (value) => (value === null ? null : read(value));
}

function readPresent(type: GraphQLNullableOutputType, stepsOf: Selection): ReadPlain {
  if (isLeafType(type)) {
    const isSent = sentOf(type);
    return (value) => (isSent(value) ? value : undefined);
  }
  if (isListType(type)) return readItems(readPlain(type.ofType, stepsOf));
  if (!isObjectType(type) || type.isTypeOf) return () => undefined;
  let read: ReadPlain | null = null;
  return (value) => {
    if (!isPlainObject(value)) return undefined;
    read ??= readFields(stepsOf(type));
    return read(value);
  };
}

function readItems(read: ReadPlain): ReadPlain {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items: unknown[] = [];
    for (const item of value) {
      const sent = read(item);
      if (sent === undefined) return undefined;
      items.push(sent);
    }
    return items;
  };
}

function readFields(steps: readonly FieldStep[]): ReadPlain {
  const fields = steps.flatMap(({ key, name, plain }) => (plain === null ? [] : [{ key, name, read: plain }]));
  if (fields.length < steps.length) return () => undefined;
  // Copies of one object share its hidden class.
  const blank: Record<string, unknown> = Object.fromEntries(fields.map(({ key }) => [key, null]));
  return (source) => {
    if (!isPlainObject(source)) return undefined;
    const result = { ...blank };
    for (const { key, name, read } of fields) {
      const sent = read(source[name]);
      if (sent === undefined) return undefined;
      result[key] = sent;
    }
    return result;
  };
}

/** Scalars of which values of this type are sent as they are; instants are text in all entities. */
const SENT_AS_THEY_ARE: ReadonlyMap<string, "string" | "boolean"> = new Map([
  ["String", "string"],
  ["ID", "string"],
  ["DateTime", "string"],
  ["Boolean", "boolean"],
] as const);

/** Whether a value is sent as it is; of other scalars only the type itself knows what is sent. */
function sentOf(type: GraphQLNullableOutputType): (value: unknown) => boolean {
  if (isEnumType(type)) {
    const names = new Set<unknown>(type.getValues().flatMap(({ name, value }) => (value === name ? [name] : [])));
    return (value) => names.has(value);
  }
  const name = String(type);
  if (name === "Int")
    return (value) => typeof value === "number" && Math.trunc(value) === value && Math.abs(value) < 2 ** 31;
  const sent = SENT_AS_THEY_ARE.get(name);
  return sent === undefined ? () => false : (value) => typeof value === sent;
}

/** Neither an error nor a promise. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
