/** `GET /runs/<id>/log`: the log of a run as a file, whole or in part, with HTTP's own ranges and compression. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { LogExport, LogExportAsk, LogExports } from "../domain/log/export-log.ts";
import { LIMITS } from "../model/kit/limits.ts";
import type { TokenCaller } from "../model/people/permission.ts";
import { EXECUTED_PHASES } from "../model/run/phase.ts";
import { type InputIssue, invalidInput, UserError } from "../model/kit/user-error.ts";
import { bearerSecret } from "./bearer.ts";
import { type ByteRange, parseRange } from "./byte-range.ts";
import { chooseCoding, type ContentCoding, createCompressor } from "./content-coding.ts";
import { answerPreflight } from "./cors.ts";
import { isKnownTag } from "./etag.ts";
import { answerJson } from "./json-answer.ts";
import { type TokenEndDeps, watchAnswer } from "./token-end.ts";

export interface LogExportDeps extends TokenEndDeps {
  exports: LogExports;
  /** Notes who it is, and says in the answer how to authenticate. */
  identify: (request: IncomingMessage, response: ServerResponse) => Promise<TokenCaller | null>;
  /** Answers that are being sent, with the token of whoever asked. */
  sending: Map<ServerResponse, string>;
  /** Something unexpected; gives the id that the client sees. */
  reportError: (error: unknown) => string;
}

const PATH = /^\/runs\/([^/]+)\/log$/;
const METHODS = "GET, HEAD, OPTIONS";
const RETRY_AFTER_S = 5;
const FORMATS = { text: "TEXT", jsonl: "JSONL" } as const;
const TYPES = { TEXT: "text/plain; charset=utf-8", JSONL: "application/x-ndjson; charset=utf-8" } as const;
const PARAMETERS: readonly string[] = ["phase", "attempt", "from", "to", "tail", "timestamps", "format"];
/** Of an integer in Postgres. */
const MAX_NUMBER = 2_147_483_647;

/** Whether a path is answered here. */
export function isLogPath(path: string): boolean {
  return PATH.test(path);
}

export async function answerLog(
  deps: LogExportDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === "OPTIONS") return answerPreflight(response, METHODS);
  const caller = await deps.identify(request, response);
  if (caller === null) return refuse(response, 401, "UNAUTHENTICATED", "A valid bearer token is needed.");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", METHODS);
    return refuse(response, 405, "METHOD_NOT_ALLOWED", "Only GET and HEAD are answered here.");
  }
  const own = deps.sending.values().filter((tokenId) => tokenId === caller.tokenId);
  if (deps.sending.size >= LIMITS.logExports || own.toArray().length >= LIMITS.logExportsPerToken) {
    response.setHeader("retry-after", RETRY_AFTER_S);
    return refuse(response, 503, "TOO_MANY_EXPORTS", "Too many logs are exported already; ask again a little later.");
  }
  deps.sending.set(response, caller.tokenId);
  try {
    await send(deps, caller, request, response);
  } catch (error) {
    fail(deps, response, error);
  } finally {
    deps.sending.delete(response);
  }
}

function refuse(response: ServerResponse, status: number, code: string, message: string, more: object = {}): void {
  answerJson(response, status, { code, message, ...more });
}

function fail({ reportError }: LogExportDeps, response: ServerResponse, error: unknown): void {
  // Who broke off hears nothing, and that is no fault.
  if (response.destroyed && !response.headersSent) return;
  if (response.headersSent) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "ERR_STREAM_PREMATURE_CLOSE" && code !== "ABORT_ERR") reportError(error);
    response.destroy();
    return;
  }
  if (error instanceof UserError && (error.code === "NOT_FOUND" || error.code === "INVALID_INPUT")) {
    const { code, message, details } = error;
    const status = code === "NOT_FOUND" ? 404 : 400;
    return refuse(response, status, code, message, details.issues && { issues: details.issues });
  }
  refuse(response, 500, "INTERNAL", `Something went wrong (${reportError(error)}).`);
}

/** What of a log is sent, and how. */
interface Answer {
  status: 200 | 206;
  range: ByteRange | null;
  coding: ContentCoding | null;
}

async function send(
  deps: LogExportDeps,
  caller: TokenCaller,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? "", "http://server");
  const runId = PATH.exec(url.pathname)?.[1] ?? "";
  const format = url.searchParams.get("format") === "jsonl" ? "JSONL" : "TEXT";
  const log = await deps.exports.open(caller, runId, () => parse(url.searchParams));
  if (log.expiredAt !== null) return refuse(response, 410, "EXPIRED", `The log is not kept since ${log.expiredAt}.`);
  if (response.destroyed) return;
  const answer = choose(request, response, log);
  if (answer === null) return;
  const { range, coding } = answer;
  response.setHeader("content-type", TYPES[format]);
  response.setHeader("x-content-type-options", "nosniff");
  if (coding !== null) response.setHeader("content-encoding", coding);
  else if (log.bytes !== null)
    response.setHeader("content-length", range === null ? log.bytes : range.end - range.start);
  response.writeHead(answer.status);
  if (request.method === "HEAD") return void response.end();
  const secret = bearerSecret(request.headers.authorization);
  watchAnswer(deps, response, { caller, secret }, () => response.destroy());
  const bytes = Readable.from(log.read(range?.start ?? 0, range?.end ?? null), { highWaterMark: 1 });
  if (coding === null) await pipeline(bytes, response);
  else await pipeline(bytes, createCompressor(coding), response);
}

/** Sets the headers that say what can be asked for; null: the answer was sent. */
function choose({ headers }: IncomingMessage, response: ServerResponse, log: LogExport): Answer | null {
  response.appendHeader("vary", "Accept-Encoding");
  response.setHeader("accept-ranges", log.bytes === null ? "none" : "bytes");
  response.setHeader("cache-control", log.ended ? "private, no-cache" : "no-store");
  const plainTag = `"${log.tag}"`;
  // A part of a log that goes on is what is there of it now, whatever was there before.
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
    refuse(response, 416, "RANGE_NOT_SATISFIABLE", `The log has ${log.bytes} bytes${log.ended ? "" : " so far"}.`);
    return null;
  }
  if (range !== null) response.setHeader("content-range", `bytes ${range.start}-${range.end - 1}/${whole}`);
  return { status: range === null ? 200 : 206, range, coding };
}

/** Throws INVALID_INPUT that names every parameter that cannot be used. */
function parse(parameters: URLSearchParams): LogExportAsk {
  const issues: InputIssue[] = [];
  const refuseParameter = (name: string, message: string): void => void issues.push({ path: [name], message });
  for (const name of new Set(parameters.keys())) {
    if (!PARAMETERS.includes(name)) refuseParameter(name, `is not known here; there are ${PARAMETERS.join(", ")}.`);
    else if (parameters.getAll(name).length > 1) refuseParameter(name, "must be given once.");
  }
  const whole = (name: string, least: number): number | null => {
    const text = parameters.get(name);
    if (text === null) return null;
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= MAX_NUMBER) return value;
    refuseParameter(name, `must be a whole number from ${least} to ${MAX_NUMBER}.`);
    return null;
  };
  const word = <T extends string>(name: string, words: readonly T[]): T | null => {
    const text = parameters.get(name);
    const found = words.find((candidate) => candidate === text) ?? null;
    if (text !== null && found === null) refuseParameter(name, `must be ${words.join(" or ")}.`);
    return found;
  };
  const ask = {
    phase: word("phase", EXECUTED_PHASES),
    attempt: whole("attempt", 1),
    from: whole("from", 1),
    to: whole("to", 0),
    tail: whole("tail", 0),
    timestamps: word("timestamps", ["true", "false"]) === "true",
    format: FORMATS[word("format", ["text", "jsonl"]) ?? "text"],
  };
  if (ask.attempt !== null && ask.phase === null) refuseParameter("attempt", "belongs to a phase: give `phase` too.");
  if (ask.tail !== null && ask.from !== null) refuseParameter("tail", "cannot be given together with `from`.");
  if (issues.length > 0) throw invalidInput(issues);
  return ask;
}
