/** The runner protocol's server side: HTTP in, one use case each, JSON out. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Jobs } from "../domain/job/jobs.ts";
import { JobError, type JobErrorCode } from "../domain/job/job-error.ts";
import { LIMITS } from "../model/limits.ts";
import type { JobCaller } from "../model/permission.ts";
import { parseJson, parseStateJson, readBody } from "./body.ts";
import { parseClaim, parseHeartbeat, parseLockInfo, parseLog, parseMessage, parseState } from "./parse.ts";
import type { ClaimAnswer, HeartbeatAnswer, LogAnswer, LogConflict, MessageAnswer, ProtocolError } from "./wire.ts";

export const INGESTION_PATH = "/runner/v1/";

/** Waits for hints about work, or about one run; returns at once when the signal aborts. */
export type WaitFor = (topic: "work" | `run:${string}`, signal: AbortSignal) => Waiting;
export interface Waiting extends Disposable {
  /** Forgets hints so far. */
  reset(): void;
  changed(timeoutMs: number): Promise<void>;
}

export interface IngestionDeps {
  jobs: Jobs;
  waitFor: WaitFor;
  clock: () => Date;
  /** Aborted when the server shuts down: requests that are held open are answered. */
  draining: AbortSignal;
  /** Hears whose request is being served, for the log; absent: nobody listens. */
  note?: (facts: { jobId: string; runId?: string }) => void;
  /** Something unexpected; gives the id that the answer names. */
  reportError: (error: unknown) => string;
}

const STATUS_CODES: Record<JobErrorCode, number> = {
  MALFORMED: 400,
  FORBIDDEN: 403,
  OUT_OF_ORDER: 409,
  JOB_OVER: 410,
  TOO_LARGE: 413,
  STATE_REFUSED: 409,
  STATE_LOCKED: 423,
};

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
}
type JobRoute = (exchange: Exchange, caller: JobCaller) => Promise<void>;

/** Answers requests below INGESTION_PATH. */
export function createIngestion(deps: IngestionDeps): (request: IncomingMessage, response: ServerResponse) => void {
  const routes = jobRoutes(deps);
  return (request, response) => {
    const exchange = { request, response, url: new URL(request.url ?? "/", "http://runner") };
    handle(deps, routes, exchange).catch((error: unknown) => fail(deps, exchange, error));
  };
}

async function handle(deps: IngestionDeps, routes: Record<string, JobRoute>, exchange: Exchange): Promise<void> {
  const { request, url } = exchange;
  const path = url.pathname.slice(INGESTION_PATH.length);
  const secret = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? "";
  if (path === "claim" && request.method === "POST") return claim(deps, exchange, secret);
  const [, jobId, action = ""] = /^jobs\/([^/]+)\/(.+)$/.exec(path) ?? [];
  const route = routes[`${request.method ?? ""} ${action}`];
  if (jobId === undefined || route === undefined) {
    return answer(exchange, 404, { code: "NOT_FOUND", message: "There is no such resource." } satisfies ProtocolError);
  }
  const caller = await deps.jobs.authenticateJob(secret);
  if (caller === null) return unauthenticated(exchange);
  deps.note?.({ jobId: caller.jobId, runId: caller.runId });
  if (caller.jobId !== jobId) throw new JobError("FORBIDDEN", "The token is another job's.");
  return route(exchange, caller);
}

/** Long poll: looks, waits for a hint, looks again until the time is over. */
async function claim({ jobs, waitFor, clock, draining }: IngestionDeps, exchange: Exchange, secret: string) {
  const caller = jobs.authenticateRunner(secret);
  if (caller === null) return unauthenticated(exchange);
  const request = parseClaim(parseJson(await readBody(exchange.request, LIMITS.requestBytes)));
  const gone = new AbortController();
  exchange.response.on("close", () => gone.abort());
  const signal = AbortSignal.any([gone.signal, draining]);
  const until = clock().getTime() + request.waitMs;
  using waiting = waitFor("work", signal);
  while (!signal.aborted) {
    waiting.reset();
    const job = await jobs.claim(caller, request);
    if (job !== null) return answer(exchange, 200, { job } satisfies ClaimAnswer);
    const restMs = until - clock().getTime();
    if (restMs <= 0) break;
    await waiting.changed(Math.min(restMs, LIMITS.streamPollMs));
  }
  return answer(exchange, 204, null);
}

async function heartbeat({ jobs, waitFor, clock, draining }: IngestionDeps, exchange: Exchange, caller: JobCaller) {
  const body = await readBody(exchange.request, LIMITS.requestBytes);
  const { waitMs } = parseHeartbeat(body.length === 0 ? { waitMs: 0 } : parseJson(body));
  let beat = await jobs.renewLease(caller);
  const until = clock().getTime() + waitMs;
  const gone = new AbortController();
  exchange.response.on("close", () => gone.abort());
  using waiting = waitFor(`run:${beat.runId}`, AbortSignal.any([gone.signal, draining]));
  while (!beat.cancelRequested && beat.expired === null && !gone.signal.aborted && !draining.aborted) {
    const restMs = until - clock().getTime();
    if (restMs <= 0) break;
    await waiting.changed(restMs);
    waiting.reset();
    beat = await jobs.renewLease(caller);
  }
  const { cancelRequested, expired } = beat;
  return answer(exchange, 200, { cancelRequested, expired } satisfies HeartbeatAnswer);
}

function jobRoutes(deps: IngestionDeps): Record<string, JobRoute> {
  const { jobs } = deps;
  return {
    "POST heartbeat": (exchange, caller) => heartbeat(deps, exchange, caller),
    "GET source": async ({ response }, caller) => stream(response, await jobs.readSource(caller)),
    "GET archive": async ({ response }, caller) => stream(response, await jobs.readArchive(caller)),
    "PUT archive": async (exchange, caller) => {
      await jobs.writeArchive(caller, await readBody(exchange.request, LIMITS.archiveBytes));
      answer(exchange, 204, null);
    },
    "POST log": async (exchange, caller) => {
      const input = parseLog(parseJson(await readBody(exchange.request, LIMITS.logBatchBytes)));
      const { ok, nextLine } = await jobs.appendLog(caller, input);
      if (ok) return answer(exchange, 200, { nextLine } satisfies LogAnswer);
      const message = `Line ${nextLine} is next.`;
      return answer(exchange, 409, { code: "OUT_OF_ORDER", message, nextLine } satisfies LogConflict);
    },
    "POST messages": async (exchange, caller) => {
      const message = parseMessage(parseJson(await readBody(exchange.request, LIMITS.messageBytes)));
      answer(exchange, 200, (await jobs.report(caller, message)) satisfies MessageAnswer);
    },
    "GET state": async (exchange, caller) => {
      const state = await jobs.readState(caller);
      return state === null ? answer(exchange, 204, null) : stream(exchange.response, state);
    },
    "POST state": async (exchange, caller) => {
      const body = await readBody(exchange.request, LIMITS.stateBytes);
      await jobs.writeState(caller, exchange.url.searchParams.get("ID") ?? "", parseState(parseStateJson(body)), body);
      answer(exchange, 200, {});
    },
    "POST state/lock": async (exchange, caller) => {
      const info = parseLockInfo(parseJson(await readBody(exchange.request, LIMITS.requestBytes)));
      const { holder } = await jobs.lockState(caller, { ...info });
      return answer(exchange, holder === null ? 200 : 423, holder ?? {});
    },
    "POST state/unlock": async (exchange, caller) => {
      const info = parseLockInfo(parseJson(await readBody(exchange.request, LIMITS.requestBytes)));
      const { holder } = await jobs.unlockState(caller, info.ID);
      return answer(exchange, holder === null ? 200 : 409, holder ?? {});
    },
  };
}

function answer({ response }: Exchange, status: number, body: object | null): void {
  if (body === null) {
    response.writeHead(status).end();
    return;
  }
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

async function stream(response: ServerResponse, body: AsyncIterable<Buffer>): Promise<void> {
  response.writeHead(200, { "content-type": "application/octet-stream" });
  await pipeline(body, response);
}

function unauthenticated(exchange: Exchange): void {
  const body: ProtocolError = { code: "UNAUTHENTICATED", message: "A valid bearer token is needed." };
  exchange.response.setHeader("www-authenticate", "Bearer");
  answer(exchange, 401, body);
}

/** Whether the other end left before the answer was whole, which is no fault of this one. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || code === "ECONNRESET" || code === "EPIPE";
}

function fail({ reportError }: IngestionDeps, exchange: Exchange, error: unknown): void {
  const { response, request } = exchange;
  if (response.headersSent || response.destroyed) {
    // A runner hangs up when its job is over: nobody waits for being told so.
    if (!isGone(error) && !(error instanceof JobError)) reportError(error);
    response.destroy();
    return;
  }
  // What was not read of the body would be taken for the next request.
  if (!request.complete) response.setHeader("connection", "close");
  if (error instanceof JobError) {
    answer(exchange, STATUS_CODES[error.code], { code: error.code, message: error.message } satisfies ProtocolError);
    return;
  }
  const id = reportError(error);
  answer(exchange, 500, { code: "INTERNAL", message: `Something went wrong (${id}).` } satisfies ProtocolError);
}
