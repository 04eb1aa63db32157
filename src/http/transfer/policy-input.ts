/** `GET /plans/<id>/policy-input`: the masked document of a plan, as policies and checks read it. */
import { pipeline } from "node:stream/promises";
import { createGzip, createZstdDecompress } from "node:zlib";
import type { PolicyInputs } from "../../domain/policy/policy-input.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { chooseCoding, type ContentCoding } from "../kit/content-coding.ts";
import { isKnownTag } from "../kit/etag.ts";
import { HttpError } from "../route/failure.ts";
import type { HttpExchange } from "../route/route.ts";

/** Names the parts that were left out of the document, after commas. */
const TRUNCATED = "holdpoint-truncated";

export async function downloadPolicyInput(
  inputs: PolicyInputs,
  { request, response, parameter }: HttpExchange,
  caller: ActorCaller,
): Promise<void> {
  const input = await inputs.open(caller, parameter("id"));
  if (input === "NONE") throw new HttpError(404, "NO_DOCUMENT", "The runner sent no document of this plan.");
  if (input === "EXPIRED") throw new HttpError(410, "EXPIRED", "The document was removed by retention.");
  const { planId, rawBytes, truncated } = input;
  const coding = chooseCoding(request.headers["accept-encoding"]?.toString());
  const tag = coding === null ? `"${planId}"` : `"${planId}-${coding}"`;
  response.setHeader("etag", tag);
  response.setHeader("cache-control", "private, no-cache");
  response.appendHeader("vary", "Accept-Encoding");
  if (isKnownTag(request.headers["if-none-match"], tag)) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader("content-type", "application/json");
  response.setHeader("content-disposition", `attachment; filename="${planId}.json"`);
  if (truncated.length > 0) response.setHeader(TRUNCATED, truncated.join(", "));
  if (coding !== null) response.setHeader("content-encoding", coding);
  else response.setHeader("content-length", rawBytes);
  if (request.method === "HEAD") {
    response.writeHead(200).end();
    return;
  }
  // Before the head: a store that is away is an answer of its own.
  const stored = await input.read();
  response.writeHead(200);
  await send(stored, response, coding);
}

/** It is stored as zstd, so that nothing is done for a client that reads it. */
function send(
  stored: AsyncIterable<Buffer>,
  response: HttpExchange["response"],
  coding: ContentCoding | null,
): Promise<void> {
  if (coding === "zstd") return pipeline(stored, response);
  if (coding === "gzip") return pipeline(stored, createZstdDecompress(), createGzip(), response);
  return pipeline(stored, createZstdDecompress(), response);
}
