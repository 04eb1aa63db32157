import type { ServerResponse } from "node:http";
import type { FoundRoute } from "../route/find-route.ts";
import { type RequestFacts, requestIdOf, type RequestScope } from "./request-scope.ts";

/** One finished request, or one finished operation of a WebSocket. */
export interface RequestLine extends RequestFacts {
  transport: "http" | "websocket";
  method: string;
  /** The path of a route: labels are kept for ever, so no part of one is chosen by a client. */
  route: string;
  /** Of the answer; 0 where the client was gone before it had it all, and for operations of a WebSocket. */
  status: number;
  durationMs: number;
}

/** Is told of what happens on the wire. */
export interface HttpObserver {
  request(line: RequestLine): void;
  /** A stream of events, or a socket, was opened (1) or closed (-1). */
  open(what: "sse" | "subscription" | "websocket", change: 1 | -1): void;
  /** A top-level error was sent. */
  error: (code: string) => void;
}

export const NO_OBSERVER: HttpObserver = { request: () => {}, open: () => {}, error: () => {} };

/** Gives the request its id, says it in the answer, and tells the observer when it is over. */
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

/** Counts an answer that has turned out to be a stream of events, for as long as it is open. */
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
