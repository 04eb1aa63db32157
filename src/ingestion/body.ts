import type { IncomingMessage } from "node:http";
import { JobError } from "../domain/job/job-error.ts";
import { parseExactJson } from "../model/kit/exact-json.ts";
import { LIMITS } from "../model/kit/limits.ts";

export interface BodyOptions {
  /** The longest time without a piece of it. */
  silenceMs?: number;
  /** Reserves room for each piece. Throws if there is none. */
  take?: (bytes: number) => void;
}

/**
 * Reads the whole body of a request. Throws TOO_LARGE, at once if its declared length is too large, and TIMED_OUT if its
 * sender stops sending. The connection stays open for the answer; the code that answers disposes of the unread rest.
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  { silenceMs = LIMITS.bodySilenceMs, take = () => undefined }: BodyOptions = {},
): Promise<Buffer> {
  const tooLarge = () => new JobError("TOO_LARGE", `The body may have at most ${maxBytes} bytes.`);
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.reject(tooLarge());
  const pieces: Buffer[] = [];
  let bytes = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const brokenOff = () =>
    Object.assign(new Error("The connection closed before the end of the body."), { code: "ECONNRESET" });
  // The sender may have disconnected while the request waited for its turn: no event follows.
  if (request.destroyed) return Promise.reject(brokenOff());
  // At once, and not when the promise is awaited: by then the request has closed, which would count as a failure.
  const settle = (result: Buffer | Error): void => {
    clearTimeout(timer);
    request.off("data", onData).off("end", onEnd).off("close", onClose).pause();
    if (result instanceof Error) reject(result);
    else resolve(result);
  };
  const silent = (): void =>
    settle(
      new JobError(
        "TIMED_OUT",
        `No data of the body arrived for ${Math.ceil(silenceMs / 1000)} seconds. Send it again.`,
      ),
    );
  const timer = setTimeout(silent, silenceMs);
  const onData = (piece: Buffer): void => {
    timer.refresh();
    bytes += piece.length;
    if (bytes > maxBytes) return settle(tooLarge());
    try {
      take(piece.length);
      pieces.push(piece);
    } catch (error) {
      settle(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const onEnd = (): void => settle(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces));
  const onClose = (): void => settle(brokenOff());
  request.on("data", onData).on("end", onEnd).once("error", settle).on("close", onClose);
  return promise;
}

/** Matches an escaped U+0000, which Postgres cannot hold in text: an even number of backslashes precedes it. */
const ESCAPED_NUL = /(?<!\\)((?:\\\\)*)\\u0000/g;

/** Parses JSON that a runner sent. Throws MALFORMED. */
export function parseJson(body: Buffer): unknown {
  return parse(withoutNul(body));
}

/** Parses a part of a state, which may hold anything: an output's U+0000 is shown as U+FFFD. Throws MALFORMED. */
export function parseStateJson(text: string): unknown {
  return parse(text.replace(ESCAPED_NUL, "$1\\ufffd"));
}

/** Matches escaped surrogates: a pair, or half of one as the second group. An even number of backslashes precedes them. */
const SURROGATES = /(?<!\\)((?:\\\\)*)\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(ud[89a-f][0-9a-f]{2}))/gi;

/** Half a character, as a cut text has it at its end, is no Unicode, and Postgres refuses it in jsonb. */
function repairHalves(text: string): string {
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return text.replace(SURROGATES, (found, before: string, half?: string) =>
    half === undefined ? found : `${before}\\ufffd`,
  );
}

function withoutNul(body: Buffer): string {
  const text = body.toString();
  if (text.search(ESCAPED_NUL) >= 0) throw new JobError("MALFORMED", "The body must not contain the character U+0000.");
  return text;
}

function parse(text: string): unknown {
  try {
    return parseExactJson(repairHalves(text));
  } catch {
    throw new JobError("MALFORMED", "The body must be JSON.");
  }
}
