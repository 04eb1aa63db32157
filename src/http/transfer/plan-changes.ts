/** `GET /plans/<id>/changes`: the changes of a plan with their values, one JSON object a line. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ChangeExports } from "../../domain/run/export-changes.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { chooseCoding, createCompressor } from "../kit/content-coding.ts";
import { isKnownTag } from "../kit/etag.ts";
import { type TokenEndDeps, watchAnswer } from "../kit/token-end.ts";
import type { HttpExchange } from "../route/route.ts";
import type { ExportLimit } from "./export-limit.ts";

export interface ChangeExportDeps extends TokenEndDeps {
  exports: ChangeExports;
  limit: ExportLimit;
}

/** Sends the changes of plans. A plan never changes, so its id is the tag of the file. */
export function createChangeExport(
  deps: ChangeExportDeps,
): (exchange: HttpExchange, caller: ActorCaller) => Promise<void> {
  return (exchange, caller) => deps.limit(exchange.response, caller, () => send(deps, exchange, caller));
}

async function send(
  deps: ChangeExportDeps,
  { request, response, parameter }: HttpExchange,
  caller: ActorCaller,
): Promise<void> {
  const { planId, read } = await deps.exports.open(caller, parameter("id"));
  if (response.destroyed) return;
  const coding = chooseCoding(request.headers["accept-encoding"]?.toString());
  const tag = `"${[planId, "changes", ...(coding === null ? [] : [coding])].join("-")}"`;
  response.setHeader("etag", tag);
  response.setHeader("cache-control", "private, no-cache");
  response.appendHeader("vary", "Accept-Encoding");
  if (isKnownTag(request.headers["if-none-match"], tag)) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader("content-type", "application/x-ndjson; charset=utf-8");
  if (coding !== null) response.setHeader("content-encoding", coding);
  response.writeHead(200);
  if (request.method === "HEAD") return void response.end();
  const [secret, address] = [deps.secretOf(request), deps.addressOf(request)];
  watchAnswer(deps, response, { caller, secret, address }, () => response.destroy());
  // One part at a time: the next is read once the client has taken this one.
  const lines = Readable.from(read(), { highWaterMark: 1 });
  if (coding === null) await pipeline(lines, response);
  else await pipeline(lines, createCompressor(coding), response);
}
