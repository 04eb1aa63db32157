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

function parse(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    throw new JobError("MALFORMED", "The body must be JSON.");
  }
}
