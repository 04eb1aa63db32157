import { visible } from "../parts/visible.ts";

/** The longest value that a page shows; beyond that a person reads the file of the plan. */
const LONGEST = 20_000;

/** Writes a value as Terraform shows it: texts with quotes, lists and objects as JSON; a text of lines as it is. */
export function textOf(value: unknown): string {
  const text = typeof value === "string" && value.includes("\n") ? value : (JSON.stringify(value, null, 2) ?? "null");
  if (text.length <= LONGEST) return visible(text);
  return `${visible(text.slice(0, LONGEST))}… (${text.length - LONGEST} characters more)`;
}
