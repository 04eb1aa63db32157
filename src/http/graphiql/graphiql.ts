/** GraphiQL in a browser: its page at the path of the API, and the files that the page loads. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { chooseCoding } from "../kit/content-coding.ts";
import { isKnownTag } from "../kit/etag.ts";
import { requestPath } from "../kit/request-path.ts";
import { HttpError } from "../route/failure.ts";
import type { HttpExchange } from "../route/route.ts";
import { type Asset, type GraphiqlAssets, loadAssets } from "./assets.ts";
import { PAGE_HEADERS, renderPage } from "./page.ts";

export interface Graphiql {
  answerPage(response: ServerResponse): Promise<void>;
  answerAsset(exchange: HttpExchange): Promise<void>;
}

/**
 * Whether a browser opens the address as a page. The address may hold a query, which GraphiQL puts there and shows. A
 * program that sends a query executes it, and sends a token.
 */
export function isPageRequest({ method, headers, url }: IncomingMessage): boolean {
  if (method !== "GET" || headers.accept?.includes("text/html") !== true) return false;
  return !headers.authorization || !new URL(url ?? "/", "http://server").searchParams.has("query");
}

export function createGraphiql(): Graphiql {
  let loading: Promise<GraphiqlAssets> | null = null;
  const load = (): Promise<GraphiqlAssets> => (loading ??= loadAssets());
  return {
    async answerPage(response) {
      response.writeHead(200, PAGE_HEADERS).end(renderPage(await load()));
    },
    async answerAsset({ request, response }) {
      const path = requestPath(request.url);
      const asset = Object.values<Asset>({ ...(await load()) }).find((known) => known.path === path);
      if (asset === undefined) throw new HttpError(404, "NOT_FOUND", "The file does not exist.");
      await answerAsset(asset, request, response);
    },
  };
}

async function answerAsset(
  asset: Asset,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const coding = chooseCoding(headers["accept-encoding"]?.toString());
  const tag = `"${asset.tag}${coding === null ? "" : `-${coding}`}"`;
  response.setHeader("etag", tag);
  response.setHeader("vary", "Accept-Encoding");
  response.setHeader("cache-control", "public, max-age=31536000, immutable");
  if (isKnownTag(headers["if-none-match"], tag)) {
    response.writeHead(304).end();
    return;
  }
  const body = await asset.body(coding);
  if (coding !== null) response.setHeader("content-encoding", coding);
  response.writeHead(200, { "content-type": asset.type, "content-length": body.length });
  response.end(method === "HEAD" ? undefined : body);
}
