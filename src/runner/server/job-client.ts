import { createHash } from "node:crypto";
import { createWriteStream, openAsBlob } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import type {
  HeartbeatAnswer,
  HeartbeatRequest,
  Job,
  JobMessage,
  MaskDeclaration,
  ProgressReport,
} from "../../ingestion/wire.ts";
import { LOG_TEXT_TYPE, type LogAppend, writeLogText } from "../../model/log/log-text.ts";
import { EXCEEDED_LIMITS } from "../../model/run/run.ts";
import type { JobControl } from "../job/job-control.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import { BackOff, type RetryLimits } from "./back-off.ts";
import { jobSchema } from "./claim.ts";
import {
  ProtocolRefusal,
  readBody,
  type ServerRequest,
  sendOnce,
  ServerAway,
  retryUntilAnswered,
} from "./server-request.ts";
import { postText } from "./text-post.ts";

/** A message before it has its number. */
export type Report = JobMessage extends infer M ? (M extends JobMessage ? Omit<M, "sequence"> : never) : never;

export interface StateAnswer {
  status: number;
  body: Buffer<ArrayBuffer>;
}

/** The server's answer to a post of lines. */
export interface LogReceipt {
  /** The number of the next line that the server expects, also in a conflict. */
  nextLine: number;
  /** The number of posts that may be in flight. */
  atOnce: number;
}

export interface JobClientOptions {
  serverUrl: string;
  jobId: string;
  token: string;
  control: JobControl;
  limits: RetryLimits & Pick<RunnerLimits, "requestMs" | "transferMs" | "progressTimeoutMs" | "logPostsInFlight">;
  log: RunnerLog;
}

const heartbeatSchema = z.object({
  cancelRequested: z.boolean(),
  expired: z.enum(EXCEEDED_LIMITS).nullable(),
});
const conflictSchema = z.object({ nextLine: z.int().min(1) });
const receiptSchema = conflictSchema.extend({ atOnce: z.int().min(1) });
const messageSchema = z.object({ goOn: z.boolean(), next: jobSchema.optional() });

/** The lease has ended, or the server does not know the job or its token any more. */
const LOST_STATUSES: readonly number[] = [401, 404, 410];

/** The runner's side of the protocol for one job. An answer that the job is over goes to its control. */
export class JobClient {
  readonly #options: JobClientOptions;
  #sequence = 1;
  #next: Job | null = null;
  #reporting = false;
  /** The last report's answer, or its failure. */
  #reported: Promise<unknown> = Promise.resolve();

  constructor(options: JobClientOptions) {
    this.#options = options;
  }

  /** The job that the server gave in answer to a report. */
  get next(): Job | null {
    return this.#next;
  }

  /** One attempt, which the server may hold open for `waitMs`: the next heartbeat is the retry. */
  async heartbeat(waitMs: number, signal: AbortSignal): Promise<HeartbeatAnswer> {
    const body = json(JSON.stringify({ waitMs } satisfies HeartbeatRequest));
    const response = await this.#once({ method: "POST", path: "heartbeat", ...body, timeoutMs: waitMs * 2, signal });
    return heartbeatSchema.parse(parseJson(await readBody(response, signal)));
  }

  /** Sends a report after earlier ones, and retries until it is answered. Gives false if the job is over. */
  report(report: Report): Promise<boolean> {
    const answered = this.#reported.then(() => this.#report(report));
    this.#reported = answered.catch(() => undefined);
    return answered;
  }

  async #report(report: Report): Promise<boolean> {
    const { ended } = this.#options.control;
    const body = storable(JSON.stringify({ sequence: this.#sequence, ...report } satisfies JobMessage));
    this.#reporting = true;
    const answer = await this.#retried(ended, async () => {
      const response = await this.#once({ method: "POST", path: "messages", ...json(body), signal: ended });
      return messageSchema.parse(parseJson(await readBody(response, ended)));
    }).finally(() => {
      this.#reporting = false;
    });
    this.#sequence += 1;
    this.#next = answer.next ?? null;
    return answer.goOn;
  }

  /** Appends lines. `follows`: earlier lines are still in flight. */
  appendLog(append: LogAppend, follows = false): Promise<LogReceipt> {
    return this.#retried(this.#options.control.ended, () => this.#appendOnce(append, follows));
  }

  async #appendOnce({ phase, firstLine, lines }: LogAppend, follows: boolean): Promise<LogReceipt> {
    const { serverUrl, token, limits, control } = this.#options;
    const path = `log?phase=${phase}&firstLine=${firstLine}${follows ? "&follows" : ""}`;
    const body = { body: writeLogText(lines), contentType: LOG_TEXT_TYPE };
    const request = { token, ...body, timeoutMs: limits.requestMs, signal: control.ended };
    try {
      const answer = await this.#watched(path, (path) => postText(serverUrl, { ...request, path }));
      const { nextLine, atOnce } = receiptSchema.parse(parseJson(answer));
      return { nextLine, atOnce: Math.min(atOnce, limits.logPostsInFlight) };
    } catch (error) {
      if (error instanceof ProtocolRefusal && error.status === 409) {
        const conflict = conflictSchema.safeParse(JSON.parse(error.body.toString()));
        // Lines that overtook others are sent again: one post at a time.
        if (conflict.success) return { ...conflict.data, atOnce: 1 };
      }
      throw error;
    }
  }

  /** Sends progress once. A refusal does not end the job: nothing depends on this request. */
  async sendProgress(report: ProgressReport, signal: AbortSignal): Promise<void> {
    const { serverUrl, jobId, token, limits } = this.#options;
    const path = `jobs/${encodeURIComponent(jobId)}/progress`;
    const body = json(JSON.stringify(report));
    const request = { method: "POST", path, token, ...body, timeoutMs: limits.progressTimeoutMs, signal };
    await readBody(await sendOnce(serverUrl, request), signal);
  }

  /** Declares values that later jobs of the run mask too. Returns the reason of a refusal; `null` if there is none. */
  async declareMasks(values: string[]): Promise<string | null> {
    const { ended } = this.#options.control;
    const body = json(JSON.stringify({ values } satisfies MaskDeclaration));
    try {
      await this.#retried(ended, async () => {
        const response = await this.#once({ method: "POST", path: "masks", ...body, signal: ended });
        await readBody(response, ended);
      });
      return null;
    } catch (error) {
      if (!(error instanceof ProtocolRefusal)) throw error;
      return error.message;
    }
  }

  /** Downloads the job's source, archive or state to a file. Gives the SHA-256 (hex) of its bytes. */
  async download(what: "source" | "archive" | "rollback-state", toFile: string): Promise<string> {
    const { stop } = this.#options.control;
    return this.#retried(stop, async () => {
      const response = await this.#once({ method: "GET", path: what, timeoutMs: this.#transferMs, signal: stop });
      const hash = createHash("sha256");
      const file = createWriteStream(toFile, { mode: 0o600 });
      try {
        await pipeline(Readable.from(hashed(response.body ?? [], hash)), file, { signal: stop });
      } catch (error) {
        stop.throwIfAborted();
        if (isFileError(error)) throw error;
        throw new ServerAway(`The download of the ${what} broke off`, { cause: error });
      }
      return hash.digest("hex");
    });
  }

  async uploadArchive(file: string): Promise<void> {
    const { stop } = this.#options.control;
    const contentType = "application/gzip";
    await this.#retried(stop, async () => {
      const body = await openAsBlob(file);
      await this.#once({
        method: "PUT",
        path: "archive",
        body,
        contentType,
        timeoutMs: this.#transferMs,
        signal: stop,
      });
    });
  }

  /** Stores the document of the plan that is reported next. Returns the reason of a refusal; `null` if there is none. */
  async uploadDocument({
    body,
    truncated,
  }: {
    body: Buffer<ArrayBuffer>;
    truncated: string[];
  }): Promise<string | null> {
    const { stop } = this.#options.control;
    const query = new URLSearchParams(truncated.map((name) => ["truncated", name]));
    const path = query.size === 0 ? "document" : `document?${query}`;
    const sent = { method: "PUT", path, body, contentType: "application/zstd", timeoutMs: this.#transferMs };
    try {
      await this.#retried(stop, () => this.#once({ ...sent, signal: stop }));
      return null;
    } catch (error) {
      if (!(error instanceof ProtocolRefusal) || LOST_STATUSES.includes(error.status)) throw error;
      return error.message;
    }
  }

  /** Sends a request of the state backend once. Gives refusals as answers; throws ServerAway or the signal's reason. */
  async state(
    method: "GET" | "POST",
    path: string,
    signal: AbortSignal,
    body?: Buffer<ArrayBuffer>,
  ): Promise<StateAnswer> {
    try {
      const contentType = "application/json";
      const sent = body === undefined ? {} : { body, contentType };
      const response = await this.#once({ method, path, ...sent, timeoutMs: this.#transferMs, signal });
      return { status: response.status, body: Buffer.from(await readBody(response, signal)) };
    } catch (error) {
      if (!(error instanceof ProtocolRefusal)) throw error;
      return { status: error.status, body: Buffer.from(error.body) };
    }
  }

  get #transferMs(): number {
    return this.#options.limits.transferMs;
  }

  #once(request: Omit<ServerRequest, "token" | "timeoutMs"> & { timeoutMs?: number }): Promise<Response> {
    const { serverUrl, token, limits } = this.#options;
    return this.#watched(request.path, (path) =>
      sendOnce(serverUrl, { timeoutMs: limits.requestMs, ...request, path, token }),
    );
  }

  /** Sends to a path of this job. A refusal may mean that the job is over. */
  async #watched<T>(of: string, send: (path: string) => Promise<T>): Promise<T> {
    const { jobId, control } = this.#options;
    try {
      return await send(`jobs/${encodeURIComponent(jobId)}/${of}`);
    } catch (error) {
      const isLost = error instanceof ProtocolRefusal && LOST_STATUSES.includes(error.status);
      // A report may end the job, and a heartbeat be refused first: the next job is in the report's answer.
      if (isLost && !(this.#reporting && of === "heartbeat")) control.lose();
      throw error;
    }
  }

  #retried<T>(signal: AbortSignal, attempt: () => Promise<T>): Promise<T> {
    const { limits, log } = this.#options;
    return retryUntilAnswered(attempt, { backOff: new BackOff(limits), signal, log });
  }
}

function json(body: string): { body: string; contentType: string } {
  return { body, contentType: "application/json" };
}

/** Parses an answer. One that is no JSON comes from a proxy between the runner and the server. */
function parseJson(answer: ArrayBuffer | string): unknown {
  try {
    return JSON.parse(typeof answer === "string" ? answer : Buffer.from(answer).toString());
  } catch (error) {
    throw new ServerAway("The answer is not JSON", { cause: error });
  }
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  hash: { update(data: Uint8Array): unknown },
) {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

function isFileError(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    /^E(NOSPC|ACCES|ROFS|DQUOT|IO)$/.test(error.code)
  );
}

/**
 * Replaces characters that Postgres cannot store: U+0000 and lone surrogates. JSON.stringify escapes both. Every escape is
 * matched, so that an escaped backslash before one is not misread.
 */
function storable(json: string): string {
  return json.replace(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, (escape) => (escape.length === 2 ? escape : "\\ufffd"));
}
