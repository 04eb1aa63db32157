import { createHash, randomBytes } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ClaimRequest, HeartbeatAnswer, Job, JobMessage, LockInfo } from "../../src/ingestion/wire.ts";

import { LOG_STREAMS } from "../../src/model/log/log.ts";
import { readSpans } from "../../src/model/log/log-span.ts";
import { LOG_TEXT_TYPE, type LogAppend, type WrittenLine } from "../../src/model/log/log-text.ts";
import { EXECUTED_PHASES } from "../../src/model/run/phase.ts";

export interface RecordedRequest {
  method: string;
  /** Below `/runner/v1/`; of a job's requests without the job. */
  path: string;
  body: Buffer;
}

export interface LoggedLine extends WrittenLine {
  phase: string;
  number: number;
}

type Answer = { status: number; body?: unknown };
/** Decides about a request before the server does; undefined lets it pass. */
export type Intervention = (request: RecordedRequest) => Answer | undefined | Promise<Answer | undefined>;

/** Messages that do not end a job. */
const GOES_ON: readonly JobMessage["type"][] = ["restored", "prepared", "initialized"];

/**
 * The server's side of the runner protocol for tests: hands out jobs one at a time, keeps state, lock and archive in
 * memory, and records everything.
 */
export class FakeProtocolServer {
  readonly runnerToken = `runner-${randomBytes(12).toString("hex")}`;
  readonly requests: RecordedRequest[] = [];
  readonly messages: JobMessage[] = [];
  readonly lines: LoggedLine[] = [];
  /** Values that the job declared as sensitive. */
  readonly masks: string[] = [];
  source: Buffer = Buffer.alloc(0);
  archive: Buffer | null = null;
  /** The newest document of a plan, with the query that it was sent with. */
  document: { body: Buffer; truncated: string[] } | null = null;
  state: Buffer | null = null;
  stateVersions: Buffer[] = [];
  lock: LockInfo | null = null;
  /** What the runner's token belongs to. */
  pool = { id: "pool_1", name: "builders", organization: "default" };
  /** The next claim hears that its process is to end. */
  cycle = false;
  cancelRequested = false;
  expired: HeartbeatAnswer["expired"] = null;
  over = false;
  intervene: Intervention = () => undefined;
  readonly #events = new EventEmitter().setMaxListeners(0);
  #server: Server;
  #port = 0;
  #waitingJob: Job | null = null;
  #activeJob: Job | null = null;

  private constructor() {
    this.#server = this.#makeServer();
  }

  static async start(): Promise<FakeProtocolServer> {
    const server = new FakeProtocolServer();
    await server.listen();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get log(): string {
    return this.lines.map(({ text }) => text).join("\n");
  }

  /** On the port that it had, when it had one. */
  async listen(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    this.#port = address.port;
  }

  async goAway(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.#server = this.#makeServer();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.goAway();
  }

  /** Offers a job to the next claim; messages and lines of an earlier one are forgotten. */
  offer(job: Job): void {
    this.messages.length = 0;
    this.lines.length = 0;
    this.cancelRequested = false;
    this.expired = null;
    this.over = false;
    this.#waitingJob = job;
    this.#activeJob = job;
    this.#events.emit("change");
  }

  /** From now on every claim is told that its process is to end. */
  askToCycle(): void {
    this.cycle = true;
    this.#events.emit("change");
  }

  /** The newest message that ends a job, as soon as there is one. */
  async ended(): Promise<JobMessage> {
    return this.until(() => this.messages.find(({ type }) => !GOES_ON.includes(type)));
  }

  /** Fulfilled when `look` finds something; it is asked again after every request. */
  async until<T>(look: () => T | undefined | false): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined && found !== false) return found;
      await once(this.#events, "change");
    }
  }

  #makeServer(): Server {
    return createServer((request, response) => void this.#serve(request, response));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
    } catch {
      return;
    }
    const path = (request.url ?? "").replace(/^\/runner\/v1\//, "").replace(/^jobs\/[^/?]+\//, "");
    const recorded = { method: request.method ?? "", path, body: Buffer.concat(chunks) };
    this.requests.push(recorded);
    this.#events.emit("change");
    const answer = (await this.intervene(recorded)) ?? (await this.#answer(recorded, request, response));
    this.#events.emit("change");
    if (response.destroyed) return;
    response.statusCode = answer.status;
    if (answer.body instanceof Buffer) response.end(answer.body);
    else response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
  }

  async #answer(recorded: RecordedRequest, request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const { method, path, body } = recorded;
    const token = request.headers.authorization?.replace("Bearer ", "");
    if (path === "claim") {
      if (token !== this.runnerToken) return refusal(401, "UNAUTHENTICATED");
      return this.#claim(JSON.parse(body.toString()), response);
    }
    if (path === "self") {
      if (token !== this.runnerToken) return refusal(401, "UNAUTHENTICATED");
      return { status: 200, body: { pool: this.pool } };
    }
    if (token !== this.#activeJob?.token) return refusal(401, "UNAUTHENTICATED");
    if (this.over) return refusal(410, "JOB_OVER");
    const [route = ""] = path.split("?");
    switch (`${method} ${route}`) {
      case "POST heartbeat":
        return { status: 200, body: { cancelRequested: this.cancelRequested, expired: this.expired } };
      case "GET source":
        return { status: 200, body: this.source };
      case "GET archive":
        return this.archive === null ? refusal(404, "NOT_FOUND") : { status: 200, body: this.archive };
      case "PUT archive":
        this.archive = body;
        return { status: 204 };
      case "PUT document":
        this.document = { body, truncated: new URLSearchParams(path.split("?")[1]).getAll("truncated") };
        return { status: 204 };
      case "POST log":
        if (request.headers["content-type"] !== LOG_TEXT_TYPE) return refusal(400, "MALFORMED");
        return this.#appendLog(readLog(path, body));
      case "POST masks":
        this.masks.push(...JSON.parse(body.toString()).values);
        return { status: 204 };
      case "POST messages":
        return this.#message(JSON.parse(body.toString()));
      default:
        return this.#state(method, route, new URLSearchParams(path.split("?")[1]).get("ID"), body);
    }
  }

  async #claim({ runner }: ClaimRequest, response: ServerResponse): Promise<Answer> {
    if (runner.draining === true) return { status: 204 };
    const closed = once(response, "close");
    while (this.#waitingJob === null && !this.cycle && !response.destroyed) {
      await Promise.race([once(this.#events, "change"), closed]);
    }
    if (this.cycle) return { status: 200, body: { job: null, directive: "CYCLE" } };
    const job = this.#waitingJob;
    if (job === null || response.destroyed) return { status: 204 };
    this.#waitingJob = null;
    return { status: 200, body: { job } };
  }

  #appendLog({ phase, firstLine, lines }: LogAppend): Answer {
    const first = this.#activeJob?.nextLine ?? 1;
    const nextLine = first + this.lines.length;
    if (firstLine > nextLine) return { status: 409, body: { code: "OUT_OF_ORDER", message: "gap", nextLine } };
    lines.slice(nextLine - firstLine).forEach((line) => {
      this.lines.push({ ...line, phase, number: first + this.lines.length });
    });
    return { status: 200, body: { nextLine: first + this.lines.length, atOnce: 1 } };
  }

  #message(message: JobMessage): Answer {
    const expected = this.messages.length + 1;
    if (message.sequence > expected) return refusal(409, "OUT_OF_ORDER");
    if (message.sequence === expected) this.messages.push(message);
    return { status: 200, body: { goOn: GOES_ON.includes(message.type) } };
  }

  #state(method: string, route: string, lockId: string | null, body: Buffer): Answer {
    if (route === "state" && method === "GET")
      return this.state === null ? { status: 204 } : { status: 200, body: this.state };
    if (route === "state" && method === "POST") {
      if (this.lock === null || this.lock.ID !== lockId) return refusal(423, "STATE_REFUSED");
      this.state = body;
      this.stateVersions.push(body);
      return { status: 200 };
    }
    const info: LockInfo = JSON.parse(body.toString());
    if (route === "state/lock") {
      if (this.lock !== null && this.lock.ID !== info.ID) return { status: 423, body: this.lock };
      this.lock = info;
      return { status: 200 };
    }
    if (this.lock !== null && this.lock.ID !== info.ID) return { status: 409, body: this.lock };
    this.lock = null;
    return { status: 200 };
  }
}

const LOG_LINE = /^(\d+)(?:\.(\d))?(?:;([^\t]+))?\t(.*)$/s;

function readLog(path: string, body: Buffer): LogAppend {
  const query = new URLSearchParams(path.split("?")[1]);
  const lines = body
    .toString()
    .split("\n")
    .map((line) => {
      const [, milliseconds = "", stream = "0", colors, text = ""] = LOG_LINE.exec(line) ?? [];
      const spans = colors === undefined ? undefined : (readSpans(colors) ?? undefined);
      return { at: new Date(Number(milliseconds)).toISOString(), stream: LOG_STREAMS[Number(stream)], text, spans };
    });
  const phase = EXECUTED_PHASES.find((known) => known === query.get("phase"));
  if (phase === undefined) throw new Error(`There is no phase in ${path}.`);
  return { phase, firstLine: Number(query.get("firstLine")), lines };
}

export function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function refusal(status: number, code: string): Answer {
  return { status, body: { code, message: `refused by the test: ${code}` } };
}
