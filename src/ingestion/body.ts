import type { IncomingMessage } from "node:http";
import { JobError } from "../domain/job/job-error.ts";
import { parseExactJson } from "../model/exact-json.ts";

/** The whole body of a request. Throws TOO_LARGE past the limit, without reading on. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) continue;
    bytes += piece.length;
    if (bytes > maxBytes) throw new JobError("TOO_LARGE", `The body may have at most ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** An escaped U+0000, which Postgres cannot hold in text: an even number of backslashes stands before it. */
const ESCAPED_NUL = /(?<!\\)((?:\\\\)*)\\u0000/g;

/** Parses JSON that a runner sent. Throws MALFORMED. */
export function parseJson(body: Buffer): unknown {
  const text = body.toString();
  if (text.search(ESCAPED_NUL) >= 0) throw new JobError("MALFORMED", "The body must not contain the character U+0000.");
  return parse(text);
}

/** Parses a state file, which may hold anything: an output's U+0000 is shown as U+FFFD. Throws MALFORMED. */
export function parseStateJson(body: Buffer): unknown {
  return parse(body.toString().replace(ESCAPED_NUL, "$1\\ufffd"));
}

/** Every escape in turn; the group is half of a surrogate pair without its other half. */
const ESCAPES = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(ud[89a-f][0-9a-f]{2})|.)/gis;

/** Half a character, as a cut text has it at its end, is no Unicode, and Postgres refuses it in jsonb. */
function repairHalves(text: string): string {
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return text.replace(ESCAPES, (escape, half?: string) => (half === undefined ? escape : "\\ufffd"));
}

function parse(text: string): unknown {
  try {
    return parseExactJson(repairHalves(text));
  } catch {
    throw new JobError("MALFORMED", "The body must be JSON.");
  }
}
