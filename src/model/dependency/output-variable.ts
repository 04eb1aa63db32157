/** Turns outputs into variables of the engine. */
import type { Json } from "../plan/json.ts";
import type { Variable } from "../workspace/workspace.ts";
import type { OutputReference } from "./dependency.ts";

/**
 * Returns the variable that a reference makes of the value of an output. Texts are passed as they are. Other values are
 * expressions for ENGINE; in the environment, numbers and booleans are texts, and lists and maps are JSON.
 */
export function outputVariable({ key, category }: OutputReference, value: Json, sensitive: boolean): Variable {
  const variable = { key, category, sensitive };
  if (typeof value === "string") return { ...variable, value, hcl: false };
  if (category === "ENGINE") return { ...variable, value: expressionOf(value), hcl: true };
  if (value === null) return { ...variable, value: "", hcl: false };
  // An expression is masked piece by piece.
  return { ...variable, value: JSON.stringify(value), hcl: typeof value === "object" };
}

/** Writes a value in the engine's syntax. */
function expressionOf(value: Json): string {
  if (typeof value === "string") return textOf(value);
  if (Array.isArray(value)) return `[${value.map(expressionOf).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${textOf(name)} = ${expressionOf(item)}`)
    .join(", ")}}`;
}

/** Quotes a text. The engine knows fewer escapes than JSON, and reads templates in it. */
function textOf(text: string): string {
  return JSON.stringify(text)
    .replace(/(\\\\)|\\b|\\f/g, (escape, backslash) => backslash ?? (escape === "\\b" ? "\\u0008" : "\\u000c"))
    .replace(/([$%])\{/g, "$1$1{");
}
