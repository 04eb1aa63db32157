import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "../model/kit/limits.ts";

/** JSON, or nothing where `body` is null. What was not read of the request is read and forgotten, within limits. */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: object | null,
): void {
  const text = body === null ? "" : JSON.stringify(body);
  const unread = hasBody(request) && !request.complete;
  // What was not read of the body would be taken for the next request.
  if (unread) response.setHeader("connection", "close");
  const headers = body === null ? {} : { "content-type": "application/json" };
  response.writeHead(status, { ...headers, ...(status !== 204 && { "content-length": Buffer.byteLength(text) }) });
  if (!unread) {
    response.end(text);
    return;
  }
  // A client that is still sending when the connection closes sees a reset and not the answer, so the close is delayed.
  response.write(text);
  forget(request, () => response.end());
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function forget(request: IncomingMessage, then: () => void): void {
  let bytes = 0;
  const timer = setTimeout(done, LIMITS.refusedBodyMs);
  request.on("data", count).once("close", done).once("end", done).once("error", done);
  request.resume();
  function count(piece: Buffer): void {
    bytes += piece.length;
    if (bytes > LIMITS.refusedBodyBytes) done();
  }
  function done(): void {
    clearTimeout(timer);
    request.off("data", count).off("close", done).off("end", done);
    then();
  }
}
