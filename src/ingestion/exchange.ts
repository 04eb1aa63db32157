/** One request of a runner and its answer. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { JobError, type JobErrorCode } from "../domain/job/job-error.ts";
import { StoreUnavailable } from "../model/runner/store-unavailable.ts";
import { sendAnswer } from "./send-answer.ts";
import type { ProtocolError } from "./wire.ts";

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  /** The name of the request in records of refusals, for people to read. */
  asked: string;
  /** A refusal from here on is expected, and is not recorded. */
  quiet: boolean;
  /** The whole body; throws as `readBody` does. */
  body(maxBytes: number): Promise<Buffer>;
}

const STATUS_CODES: Record<JobErrorCode, number> = {
  MALFORMED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  TIMED_OUT: 408,
  OUT_OF_ORDER: 409,
  JOB_OVER: 410,
  TOO_LARGE: 413,
  STATE_REFUSED: 409,
  STATE_LOCKED: 423,
  BUSY: 503,
};

export function answer({ request, response }: Exchange, status: number, body: object | null): void {
  sendAnswer(request, response, status, body);
}

export async function stream({ response }: Exchange, body: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
  response.writeHead(200, { "content-type": "application/octet-stream" });
  await pipeline(body, response);
}

export function notFound(exchange: Exchange): void {
  answer(exchange, 404, { code: "NOT_FOUND", message: "The resource does not exist." } satisfies ProtocolError);
}

export function unauthenticated(exchange: Exchange): void {
  const body: ProtocolError = { code: "UNAUTHENTICATED", message: "A valid bearer token is needed." };
  exchange.response.setHeader("www-authenticate", "Bearer");
  answer(exchange, 401, body);
}

/** Whether the other end left before the answer was whole, which is no fault of this one. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}

/** Answers what went wrong; an unexpected error gets an id from `reportError`. */
export function fail(exchange: Exchange, error: unknown, reportError: (error: unknown) => string): void {
  const { response } = exchange;
  if (response.headersSent || response.destroyed) {
    // A runner disconnects when its job is over, so there is no receiver for this error.
    if (!isGone(error) && !(error instanceof JobError)) reportError(error);
    response.destroy();
    return;
  }
  if (error instanceof JobError) {
    const body: ProtocolError = { code: error.code, message: error.message };
    return answer(exchange, STATUS_CODES[error.code], body);
  }
  if (error instanceof StoreUnavailable) {
    const body: ProtocolError = { code: error.code, message: error.shownAs(reportError(error)) };
    return answer(exchange, 503, body);
  }
  const id = reportError(error);
  answer(exchange, 500, { code: "INTERNAL", message: `Something went wrong (${id}).` } satisfies ProtocolError);
}
