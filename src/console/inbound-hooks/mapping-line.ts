/** The lines by which a form shows the values of a body that runs get as metadata. */
import type { InboundMappingInput } from "../generated/graphql.ts";

/** Writes a value of a mapping as its line in the form. */
export const lineOfMapping = ({ key, pointer }: InboundMappingInput): string => `${key} = ${pointer}`;

/** Matches a line by the first `=` before a JSON pointer, or else the first one: a key may have such signs, and begin with one. */
const LINES = [/^(.+?)=\s*((?:\/.*)?)$/s, /^(.+?)=(.*)$/s];

/** Reads a line of a mapping; `null` for one without a key and a pointer. */
export function mappingOfLine(line: string): InboundMappingInput | null {
  for (const pattern of LINES) {
    const [, key = "", pointer = ""] = pattern.exec(line.trim()) ?? [];
    if (key.trim() !== "") return { key: key.trim(), pointer: pointer.trim() };
  }
  return null;
}
