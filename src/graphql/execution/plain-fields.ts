import { getNullableType, type GraphQLOutputType, isEnumType, isNonNullType } from "graphql";
import type { FieldStep } from "./field-step.ts";

/** Scalars of which values of this type are sent as they are; instants are text in all entities. */
const SENT_AS_THEY_ARE: ReadonlyMap<string, "string" | "boolean"> = new Map([
  ["String", "string"],
  ["ID", "string"],
  ["DateTime", "string"],
  ["Boolean", "boolean"],
] as const);

interface PlainField {
  readonly key: string;
  readonly name: string;
  readonly isSent: (value: unknown) => boolean;
}

/**
 * Reads objects of which nothing but properties is selected, where these are what will be sent: a line of a log, an
 * output. Nothing of them can fail or be waited for, so that executing a page of a thousand lines takes a third of the
 * time. null: it is not such a selection, or this object has something else in a property, and is executed.
 */
export function plainReader(steps: readonly FieldStep[]): (source: unknown) => Record<string, unknown> | null {
  const fields = steps.map(toPlain).filter((field) => field !== null);
  if (fields.length < steps.length) return () => null;
  // Copies of one object share its hidden class.
  const blank: Record<string, unknown> = Object.fromEntries(fields.map(({ key }) => [key, null]));
  return (source) => {
    if (!isRecord(source)) return null;
    const result = { ...blank };
    for (const { key, name, isSent } of fields) {
      const value = source[name];
      if (!isSent(value)) return null;
      result[key] = value;
    }
    return result;
  };
}

function toPlain({ key, name, resolve, info }: FieldStep): PlainField | null {
  const isSent = resolve === null && key !== "__proto__" ? sentBy(info.returnType) : null;
  return isSent === null ? null : { key, name, isSent };
}

/** null: only the type itself can say what is sent. */
function sentBy(type: GraphQLOutputType): PlainField["isSent"] | null {
  const isPresent = sentByPresent(type);
  if (isPresent === null || isNonNullType(type)) return isPresent;
  return (value) => value === null || isPresent(value);
}

function sentByPresent(type: GraphQLOutputType): PlainField["isSent"] | null {
  const named = getNullableType(type);
  if (isEnumType(named)) {
    const names = new Set<unknown>(named.getValues().flatMap(({ name, value }) => (value === name ? [name] : [])));
    return (value) => names.has(value);
  }
  const name = String(named);
  if (name === "Int")
    return (value) => typeof value === "number" && Math.trunc(value) === value && Math.abs(value) < 2 ** 31;
  const sent = SENT_AS_THEY_ARE.get(name);
  return sent === undefined ? null : (value) => typeof value === sent;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
