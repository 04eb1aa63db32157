/** The lines by which a form shows the values of a body that runs get as metadata: `ticket = /ticket/id`. */
import type { InboundMappingInput } from "../generated/graphql.ts";

/** Matches a JSON string, as far as it goes. */
const QUOTED = /^"(?:[^"\\]|\\.)*"/;

/** Writes a value of a mapping as its line in the form. What a line would not give back is written as a JSON string. */
export function lineOfMapping({ key, pointer }: InboundMappingInput): string {
  return `${textOf(key, key.includes("="))} = ${textOf(pointer, false)}`;
}

/** Reads a line of a mapping; `null` for one without a key and a pointer. A key ends at the first `=` outside of quotes. */
export function mappingOfLine(line: string): InboundMappingInput | null {
  const text = line.trim();
  const quoted = QUOTED.exec(text)?.[0];
  const end = text.indexOf("=", quoted?.length ?? 0);
  if (end < 0) return null;
  const key = valueOf(text.slice(0, end).trim());
  const pointer = valueOf(text.slice(end + 1).trim());
  return key === null || pointer === null || key.trim() === "" ? null : { key, pointer };
}

function textOf(value: string, isAmbiguous: boolean): string {
  const isQuoted =
    isAmbiguous || value.startsWith('"') || value.trim() !== value || /\p{Cc}/u.test(value) || !value.isWellFormed();
  return isQuoted ? JSON.stringify(value) : value;
}

/** Reads a text that may be a JSON string; `null` for one that only begins as such. */
function valueOf(text: string): string | null {
  if (!text.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
