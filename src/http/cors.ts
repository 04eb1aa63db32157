/** What pages of other origins may do, where Holdpoint answers by itself; GraphQL's own answers say so themselves. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { CORS } from "../graphql/server/yoga.ts";

/** A page that cannot read an answer takes it for a broken network. */
export function allowOrigin(origins: readonly string[], { headers }: IncomingMessage, response: ServerResponse): void {
  if (origins.length === 0) return;
  response.setHeader("vary", "Origin");
  if (headers.origin === undefined || !origins.includes(headers.origin)) return;
  response.setHeader("access-control-allow-origin", headers.origin);
  response.setHeader("access-control-allow-credentials", "true");
  response.setHeader("access-control-expose-headers", CORS.exposedHeaders.join(", "));
}

/** What a browser asks before a page may send anything; it cannot carry a token. */
export function answerPreflight(response: ServerResponse, methods: string): void {
  response.setHeader("allow", methods);
  if (response.hasHeader("access-control-allow-origin")) {
    response.setHeader("access-control-allow-methods", methods);
    response.setHeader("access-control-allow-headers", CORS.allowedHeaders.join(", "));
    response.setHeader("access-control-max-age", CORS.maxAge);
  }
  response.writeHead(204).end();
}
