import type { ServerResponse } from "node:http";
import type { FoundRoute } from "../route/find-route.ts";
import { type RequestFacts, requestIdOf, type RequestScope } from "./request-scope.ts";

/** One finished request, or one finished operation of a WebSocket. */
export interface RequestLine extends RequestFacts {
  transport: "http" | "websocket";
  method: string;
  /** The path of a route. Labels are kept for ever, so a client chooses no part of one. */
  route: string;
  /** The status of the answer; 0 if the client left before its end, and for operations of a WebSocket. */
  status: number;
  durationMs: number;
}

/** Receives the finished requests, the open streams and the errors of the server. */
export interface HttpObserver {
  request(line: RequestLine): void;
  /** Reports a stream of events or a socket that was opened (1) or closed (-1). */
  open(what: "sse" | "subscription" | "websocket", change: 1 | -1): void;
  /** Reports a top-level error that was sent. */
  error: (code: string) => void;
}

export const NO_OBSERVER: HttpObserver = { request: () => {}, open: () => {}, error: () => {} };

/** Gives the request its id, sends it with the answer, and reports the request to the observer when it has ended. */
export function observeRequest(
  { scope, observer }: { scope: RequestScope; observer: HttpObserver },
  { route, exchange: { request, response } }: FoundRoute,
  work: () => void,
): void {
  const facts: RequestFacts = { requestId: requestIdOf(request.headers["x-request-id"]) };
  const startedAt = performance.now();
  response.setHeader("x-request-id", facts.requestId);
  response.once("close", () => {
    observer.request({
      ...facts,
      transport: "http",
      method: METHODS.has(request.method ?? "") ? (request.method ?? "") : "other",
      route: route.path,
      status: response.writableFinished ? response.statusCode : 0,
      durationMs: Math.round(performance.now() - startedAt),
    });
  });
  scope.run(facts, work);
}

/** Counts an answer that is a stream of events while it is open. */
export function observeEventStream(observer: HttpObserver, response: ServerResponse): void {
  if (response.closed) return;
  observer.open("sse", 1);
  response.once("close", () => observer.open("sse", -1));
}

const METHODS: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "LOCK",
  "UNLOCK",
]);
