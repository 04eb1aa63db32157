/** `GET /runs/<id>/log`: the log of a run as a file, whole or in part, with HTTP's own ranges and compression. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type { LogExport, LogExportRequest, LogExports } from "../../domain/log/export-log.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { EXECUTED_PHASES } from "../../model/run/phase.ts";
import { type ByteRange, parseRange } from "../kit/byte-range.ts";
import { chooseCoding, type ContentCoding, createCompressor } from "../kit/content-coding.ts";
import { isKnownTag } from "../kit/etag.ts";
import { HttpError } from "../route/failure.ts";
import { MAX_INTEGER, wholeNumber, word } from "../route/query.ts";
import type { HttpExchange } from "../route/route.ts";
import type { ExportLimit } from "../transfer/export-limit.ts";
import { type TokenEndDeps, watchAnswer } from "../kit/token-end.ts";

export interface LogExportDeps extends TokenEndDeps {
  exports: LogExports;
  limit: ExportLimit;
}

const FORMATS = { text: "TEXT", jsonl: "JSONL" } as const;
const TYPES = { TEXT: "text/plain; charset=utf-8", JSONL: "application/x-ndjson; charset=utf-8" } as const;

export const logQuery = z
  .strictObject({
    phase: word(EXECUTED_PHASES).optional(),
    attempt: wholeNumber(1, MAX_INTEGER).optional(),
    from: wholeNumber(1, MAX_INTEGER).optional(),
    to: wholeNumber(0, MAX_INTEGER).optional(),
    tail: wholeNumber(0, MAX_INTEGER).optional(),
    timestamps: word(["true", "false"]).optional(),
    format: word(["text", "jsonl"]).default("text"),
  })
  .refine(({ attempt, phase }) => attempt === undefined || phase !== undefined, {
    path: ["attempt"],
    error: "belongs to a phase: give `phase` too.",
  })
  .refine(({ tail, from }) => tail === undefined || from === undefined, {
    path: ["tail"],
    error: "cannot be given together with `from`.",
  });

type LogQuery = z.output<typeof logQuery>;

/** Sends logs as files. */
export function createLogExport(
  deps: LogExportDeps,
): (exchange: HttpExchange, caller: ActorCaller, query: () => LogQuery) => Promise<void> {
  return (exchange, caller, query) => deps.limit(exchange.response, caller, () => send(deps, exchange, caller, query));
}

function toAsk({ phase, attempt, from, to, tail, timestamps, format }: LogQuery): LogExportRequest {
  return {
    phase: phase ?? null,
    attempt: attempt ?? null,
    from: from ?? null,
    to: to ?? null,
    tail: tail ?? null,
    timestamps: timestamps === "true",
    format: FORMATS[format],
  };
}

/** The part of a log that is sent, and its form. */
interface Answer {
  status: 200 | 206;
  range: ByteRange | null;
  coding: ContentCoding | null;
}

async function send(
  deps: LogExportDeps,
  { request, response, parameter }: HttpExchange,
  caller: ActorCaller,
  query: () => LogQuery,
): Promise<void> {
  const log = await deps.exports.open(caller, parameter("id"), () => toAsk(query()));
  if (log.expiredAt !== null)
    throw new HttpError(410, "EXPIRED", `The log was removed by retention at ${log.expiredAt}.`);
  if (response.destroyed) return;
  const answer = choose(request, response, log);
  if (answer === null) return;
  const { range, coding } = answer;
  response.setHeader("content-type", TYPES[FORMATS[query().format]]);
  if (coding !== null) response.setHeader("content-encoding", coding);
  else if (log.bytes !== null)
    response.setHeader("content-length", range === null ? log.bytes : range.end - range.start);
  response.writeHead(answer.status);
  if (request.method === "HEAD") return void response.end();
  const secret = deps.secretOf(request);
  const address = deps.addressOf(request);
  watchAnswer(deps, response, { caller, secret, address }, () => response.destroy());
  const bytes = Readable.from(log.read(range?.start ?? 0, range?.end ?? null), { highWaterMark: 1 });
  if (coding === null) await pipeline(bytes, response);
  else await pipeline(bytes, createCompressor(coding), response);
}

/** Sets the headers of ranges, caching and codings, and chooses the answer; null if it was sent. */
function choose({ headers }: IncomingMessage, response: ServerResponse, log: LogExport): Answer | null {
  response.appendHeader("vary", "Accept-Encoding");
  response.setHeader("accept-ranges", log.bytes === null ? "none" : "bytes");
  response.setHeader("cache-control", log.ended ? "private, no-cache" : "no-store");
  const plainTag = `"${log.tag}"`;
  // A log that still grows has no tag to compare with: a range is of what it has now.
  const mayRange = headers["if-range"] === undefined || (log.ended && String(headers["if-range"]).trim() === plainTag);
  const asked = log.bytes === null || !mayRange ? undefined : headers.range;
  const range = asked === undefined || log.bytes === null ? null : parseRange(asked, log.bytes);
  const coding = range === null ? chooseCoding(headers["accept-encoding"]?.toString()) : null;
  const tag = coding === null ? plainTag : `"${log.tag}-${coding}"`;
  if (log.ended) response.setHeader("etag", tag);
  if (log.ended && isKnownTag(headers["if-none-match"], tag)) {
    response.writeHead(304).end();
    return null;
  }
  const whole = log.ended ? log.bytes : "*";
  if (range === "UNSATISFIABLE") {
    response.setHeader("content-range", `bytes */${log.bytes}`);
    const size = `The range is outside of the log, which has ${log.bytes} bytes${log.ended ? "" : " so far"}.`;
    throw new HttpError(416, "RANGE_NOT_SATISFIABLE", size);
  }
  if (range !== null) response.setHeader("content-range", `bytes ${range.start}-${range.end - 1}/${whole}`);
  return { status: range === null ? 200 : 206, range, coding };
}
