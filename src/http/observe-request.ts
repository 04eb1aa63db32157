import type { IncomingMessage, ServerResponse } from "node:http";
import { INGESTION_PATH } from "../ingestion/ingestion.ts";
import { ROUTE_ACTIONS } from "../ingestion/job-routes.ts";
import { isAssetPath } from "./graphiql/graphiql.ts";
import { isLogPath } from "./log-export.ts";
import { requestPath } from "./request-path.ts";
import { isBackendPath, isStatePath } from "./states.ts";
import { isWaitPath } from "./wait.ts";
import { type RequestFacts, requestIdOf, type RequestScope } from "./request-scope.ts";

/** One finished request, or one finished operation of a WebSocket. */
export interface RequestLine extends RequestFacts {
  transport: "http" | "websocket";
  method: string;
  /** From a short list: no part of it was chosen by the client. */
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
  request: IncomingMessage,
  response: ServerResponse,
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
      route: routeOf(requestPath(request.url)),
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
const ROUTES: ReadonlySet<string> = new Set(["/", "/graphql", "/healthz", "/readyz", "/metrics", "/sources"]);
const JOB_PATHS: ReadonlySet<string> = new Set(Object.keys(ROUTE_ACTIONS).map((name) => name.split(" ")[1] ?? ""));

/** Labels are kept for ever: a path that anybody can make up must not become one. */
function routeOf(path: string | null): string {
  if (path === null) return "other";
  if (ROUTES.has(path)) return path;
  if (/^\/workspaces\/[^/]+\/state$/.test(path)) return "/workspaces/:id/state";
  if (isBackendPath(path)) return "/state/:organization/:workspace";
  if (isStatePath(path)) return "/state-versions/:id";
  if (isWaitPath(path)) return "/runs/:id/wait";
  if (isLogPath(path)) return "/runs/:id/log";
  if (isAssetPath(path)) return "/graphiql/:file";
  if (!path.startsWith(INGESTION_PATH)) return "other";
  const rest = path.slice(INGESTION_PATH.length);
  if (rest === "claim" || rest === "self") return path;
  const [, action = ""] = /^jobs\/[^/]+\/(.+)$/.exec(rest) ?? [];
  return JOB_PATHS.has(action) ? `${INGESTION_PATH}jobs/:id/${action}` : "other";
}
