import { isRecord } from "../kit/is-record.ts";

/**
 * Returns the value of an attribute whose type the provider's schema leaves open. A state stores it with its type:
 * `{"value": ["a"], "type": ["list", "string"]}`. `null` if the value is stored without a type.
 */
export function dynamicValue(stored: unknown): { value: unknown } | null {
  if (!isRecord(stored) || !("value" in stored) || !("type" in stored) || Object.keys(stored).length !== 2) return null;
  const { value, type } = stored;
  return isType(type) && isOfType(value, type) ? { value } : null;
}

const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  // A number that no double can hold was parsed as its digits.
  number: (value) => typeof value === "number" || (typeof value === "string" && /^-?\d[\d.eE+-]*$/.test(value)),
  bool: (value) => typeof value === "boolean",
  dynamic: (value) => dynamicValue(value) !== null,
};

/** Whether a value is a type in the engine's notation: `"string"`, `["map", "number"]`, `["object", {"a": "bool"}]`. */
function isType(type: unknown): boolean {
  if (typeof type === "string") return Object.hasOwn(SCALARS, type);
  if (!Array.isArray(type)) return false;
  const [kind, inner, optional]: unknown[] = type;
  if (kind === "object") {
    const isWhole = type.length === 2 || (type.length === 3 && Array.isArray(optional));
    return isWhole && isRecord(inner) && Object.values(inner).every(isType);
  }
  if (type.length !== 2) return false;
  if (kind === "tuple") return Array.isArray(inner) && inner.every(isType);
  return (kind === "list" || kind === "set" || kind === "map") && isType(inner);
}

function isOfType(value: unknown, type: unknown): boolean {
  if (value === null) return true;
  if (typeof type === "string") return SCALARS[type]?.(value) === true;
  if (!Array.isArray(type)) return false;
  const [kind, inner]: unknown[] = type;
  if (kind === "map") return isRecord(value) && Object.values(value).every((item) => isOfType(item, inner));
  if (kind === "object") return isRecord(inner) && isObjectOf(value, inner);
  if (!Array.isArray(value)) return false;
  if (kind !== "tuple") return value.every((item) => isOfType(item, inner));
  return Array.isArray(inner) && value.length === inner.length && value.every((item, at) => isOfType(item, inner[at]));
}

function isObjectOf(value: unknown, types: Record<string, unknown>): boolean {
  if (!isRecord(value)) return false;
  const names = Object.keys(value);
  const isComplete = names.length === Object.keys(types).length;
  return isComplete && names.every((name) => Object.hasOwn(types, name) && isOfType(value[name], types[name]));
}
