import { isRecord } from "./is-record.ts";

/** Calls `take` with each text and number in a value of JSON; names of fields are left out. */
export function eachText(value: unknown, take: (text: string) => void): void {
  if (typeof value === "string") take(value);
  else if (typeof value === "number") take(String(value));
  else if (Array.isArray(value)) for (const item of value) eachText(item, take);
  else if (isRecord(value)) for (const item of Object.values(value)) eachText(item, take);
}
