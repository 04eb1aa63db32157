/** The operation of a page as a command of a shell. */
import type { ShownOperation } from "../live/operations.ts";

/** Puts a text into single quotes, in which a shell reads nothing but them. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Writes a request that gives the same answer. The token is a variable of the shell: a page has none. */
export function curlOf(url: string, { kind, text, variables }: ShownOperation): string {
  const accept = kind === "subscription" ? "-N -H 'accept: text/event-stream' " : "";
  const body = JSON.stringify({ query: text, variables });
  return `curl -sS ${accept}${quoted(url)} \\
  -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' \\
  --data-binary ${quoted(body)}`;
}
