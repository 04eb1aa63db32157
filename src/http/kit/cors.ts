/** The headers by which pages of other origins may use the API. */
import type { IncomingMessage, ServerResponse } from "node:http";

const ALLOWED_HEADERS = "authorization, content-type, x-request-id";
const EXPOSED_HEADERS = "x-request-id, ratelimit, ratelimit-policy, retry-after";
const MAX_AGE_S = 600;

/**
 * Lets the page read the answer if its origin is one of these. A page sends its token itself: cookies and other
 * credentials of the browser are not allowed.
 */
export function allowOrigin(origins: readonly string[], { headers }: IncomingMessage, response: ServerResponse): void {
  if (origins.length === 0) return;
  response.setHeader("vary", "Origin");
  if (headers.origin === undefined || !origins.includes(headers.origin)) return;
  response.setHeader("access-control-allow-origin", headers.origin);
  response.setHeader("access-control-expose-headers", EXPOSED_HEADERS);
}

/** Answers the request that a browser sends before a page may send its own. It cannot carry a token. */
export function answerPreflight(response: ServerResponse, methods: string): void {
  response.setHeader("allow", methods);
  if (response.hasHeader("access-control-allow-origin")) {
    response.setHeader("access-control-allow-methods", methods);
    response.setHeader("access-control-allow-headers", ALLOWED_HEADERS);
    response.setHeader("access-control-max-age", MAX_AGE_S);
  }
  response.writeHead(204).end();
}
