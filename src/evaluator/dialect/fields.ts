/** Reads fields of objects that others filled. */
import { isRecord } from "../../model/kit/is-record.ts";
import type { Json } from "../../model/plan/json.ts";

export type Fields = { [key: string]: Json };

/** Gives a key of an object; `null` if there is none. */
export function fieldOf(value: Json | undefined, key: string): Json {
  return isFields(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}

export function isFields(value: Json | undefined): value is Fields {
  return isRecord(value);
}

/** Labels as tags: `key`, or `key:value`. */
export function tagsOf(workspace: Fields): string[] {
  const labels = fieldOf(workspace, "labels");
  if (!isFields(labels)) return [];
  return Object.entries(labels).map(([key, value]) =>
    value === "" || value === null ? key : `${key}:${textOf(value)}`,
  );
}

export const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Auto-apply is a switch, or a mode with the name NEVER for none. */
export function isAutomatic(workspace: Fields): boolean {
  const mode = fieldOf(workspace, "autoApply");
  return mode === true || (typeof mode === "string" && mode !== "NEVER");
}

/** Policies of other products calculate with costs. */
export const numberOf = (value: Json): Json => (typeof value === "string" && value !== "" ? Number(value) : value);
