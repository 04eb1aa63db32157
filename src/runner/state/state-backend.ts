import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { z } from "zod";
import { namedHolder } from "../../model/workspace/lock-holder.ts";
import type { JobControl } from "../job/job-control.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import { BackOff, type RetryLimits } from "../server/back-off.ts";
import type { JobClient, StateAnswer } from "../server/job-client.ts";
import { retryUntilAnswered } from "../server/server-request.ts";
import type { StateDelivery } from "./state-delivery.ts";

/** Access of the engine to the state. LOCK includes READ, WRITE includes LOCK. */
export type StateAccess = "READ" | "LOCK" | "WRITE";

export type StateBackendLimits = RetryLimits & Pick<RunnerLimits, "stateBytes" | "stateHoldMs" | "stateKnownBytes">;

export interface StateBackendOptions {
  access: StateAccess;
  client: Pick<JobClient, "state">;
  delivery: StateDelivery;
  control: JobControl;
  /** Called with every state that the engine reads or writes. */
  onState: (bytes: Buffer) => void;
  randomId: () => string;
  limits: StateBackendLimits;
  log: RunnerLog;
}

const METHODS = {
  READ: ["GET"],
  LOCK: ["GET", "LOCK", "UNLOCK"],
  WRITE: ["GET", "LOCK", "UNLOCK", "POST"],
} as const satisfies Record<StateAccess, readonly string[]>;

const PATH = "/state";
const USER = "holdpoint";
const STATUS_LOCKED = 423;

const holderSchema = z.record(z.string(), z.string());
const lockSchema = z.object({ ID: z.string().min(1) });
const serialSchema = z.object({ serial: z.int().min(0) });

interface OwnLock {
  id: string;
  /** The state under the lock, once it was read or written: only the lock's holder can change it. */
  state: StateAnswer | null;
}

/**
 * Serves the engine's http backend on loopback, with a password for one command. It forwards requests to the server under
 * the job's lease.
 */
export class StateBackend {
  readonly #options: StateBackendOptions;
  readonly #server: Server;
  readonly #password: string;
  #port = 0;
  #readSerial = 0;
  #lockRefused = false;
  /** Replaced with every lock and write, so that an earlier answer that arrives late is remembered in the old one. */
  #ownLock: OwnLock | null = null;
  #unlocking: Promise<unknown> = Promise.resolve();

  private constructor(options: StateBackendOptions) {
    this.#options = options;
    this.#password = `${options.randomId()}${options.randomId()}`;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    // States are large and the server may not answer for long: the engine decides how long it waits.
    this.#server.requestTimeout = 0;
  }

  static async open(options: StateBackendOptions): Promise<StateBackend> {
    const backend = new StateBackend(options);
    await new Promise<void>((resolve, reject) => {
      backend.#server.once("error", reject);
      backend.#server.listen(0, "127.0.0.1", resolve);
    });
    const address = backend.#server.address();
    if (address === null || typeof address === "string") throw new Error("The state backend has no port");
    backend.#port = address.port;
    return backend;
  }

  get password(): string {
    return this.#password;
  }

  /** Gives the environment that points the engine's http backend here. */
  get environment(): Record<string, string> {
    const address = `http://127.0.0.1:${this.#port}${PATH}`;
    return {
      TF_HTTP_ADDRESS: address,
      TF_HTTP_LOCK_ADDRESS: address,
      TF_HTTP_UNLOCK_ADDRESS: address,
      TF_HTTP_LOCK_METHOD: "LOCK",
      TF_HTTP_UNLOCK_METHOD: "UNLOCK",
      TF_HTTP_UPDATE_METHOD: "POST",
      TF_HTTP_USERNAME: USER,
      TF_HTTP_PASSWORD: this.#password,
      // The runner retries itself, for longer than the engine would.
      TF_HTTP_RETRY_MAX: "0",
    };
  }

  /** Serial of the state that the engine read last; 0 if there was none. */
  get readSerial(): number {
    return this.#readSerial;
  }

  /** Whether the engine did not get the state lock. */
  get lockRefused(): boolean {
    return this.#lockRefused;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#unlocking;
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let answer: StateAnswer;
    try {
      answer = await this.#answer(request);
    } catch (error) {
      const { control, log } = this.#options;
      if (!control.ended.aborted) log.warn({ err: error }, "A request of the engine for its state failed");
      answer = text(control.isLost ? 410 : 503, "The server did not answer. Try again.");
    }
    if (response.destroyed) return;
    const type = answer.status === 200 || answer.status === STATUS_LOCKED ? "application/json" : "text/plain";
    response.writeHead(answer.status, {
      "content-type": type,
      ...(answer.status === 204 ? {} : { "content-length": answer.body.length }),
    });
    response.end(answer.status === 204 ? undefined : answer.body);
  }

  async #answer(request: IncomingMessage): Promise<StateAnswer> {
    const known = this.#knows(request.headers.authorization);
    const body = await readAll(request, known ? this.#options.limits.stateBytes : 0);
    if (!known) return text(401, "Wrong password.");
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (url.pathname !== PATH) return text(404, "Not found: the state is at /state.");
    const method = request.method ?? "";
    const allowed: readonly string[] = METHODS[this.#options.access];
    if (!allowed.includes(method)) return text(403, `This phase may not ${method} the state.`);
    if (body === undefined) return text(413, "The state is too large.");
    if (method === "GET") return this.#get();
    if (method === "LOCK") return this.#lock(body);
    if (method === "UNLOCK") return this.#unlock(body);
    return this.#post(body, url.searchParams.get("ID") ?? "");
  }

  async #get(): Promise<StateAnswer> {
    const lock = this.#ownLock;
    const answer = lock?.state ?? (await this.#forward("GET", "state"));
    this.#remember(lock, answer);
    if (answer.status === 200) {
      this.#readSerial = serialSchema.safeParse(tryParse(answer.body)).data?.serial ?? this.#readSerial;
      this.#options.onState(answer.body);
    } else if (answer.status === 204) {
      this.#readSerial = 0;
    }
    return answer;
  }

  async #lock(body: Buffer<ArrayBuffer>): Promise<StateAnswer> {
    const lock = lockSchema.safeParse(tryParse(body)).data;
    if (lock === undefined) return text(400, "A lock needs an ID.");
    await this.#unlocking;
    const answer = await this.#forward("POST", "state/lock", body);
    if (answer.status < 300) {
      this.#options.delivery.lockTaken(lock.ID);
      this.#ownLock = { id: lock.ID, state: null };
    }
    this.#lockRefused = answer.status === STATUS_LOCKED;
    return this.#lockRefused ? { status: STATUS_LOCKED, body: describeHolder(answer.body) } : answer;
  }

  async #unlock(body: Buffer<ArrayBuffer>): Promise<StateAnswer> {
    const lock = lockSchema.safeParse(tryParse(body)).data;
    // The engine's force-unlock names no lock: a phase must not release a lock of another holder.
    if (lock === undefined) return text(403, "A phase may release its own lock only.");
    if (lock.ID !== this.#ownLock?.id) return this.#forward("POST", "state/unlock", body);
    this.#ownLock = null;
    this.#unlocking = this.#release(body);
    return text(200, "");
  }

  /** Releases the lock while the engine ends. A lock that cannot be released ends with the job's lease. */
  async #release(body: Buffer<ArrayBuffer>): Promise<void> {
    const { delivery, control, log } = this.#options;
    try {
      const { status } = await this.#forward("POST", "state/unlock", body);
      if (status < 300) delivery.lockReleased();
      else log.warn({ status }, "The state lock could not be released");
    } catch (error) {
      if (!control.ended.aborted) log.warn({ err: error }, "The state lock could not be released");
    }
  }

  async #post(body: Buffer<ArrayBuffer>, lockId: string): Promise<StateAnswer> {
    this.#options.onState(body);
    const lock = this.#ownLock && { ...this.#ownLock, state: null };
    this.#ownLock = lock;
    const answer = await this.#options.delivery.deliver(body, lockId);
    if (answer.status === 200) this.#remember(lock, { status: 200, body });
    return answer;
  }

  #remember(lock: OwnLock | null, answer: StateAnswer): void {
    const { status, body } = answer;
    const isState = status === 204 || (status === 200 && body.length <= this.#options.limits.stateKnownBytes);
    if (lock !== null && isState) lock.state = answer;
  }

  #forward(method: "GET" | "POST", path: string, body?: Buffer<ArrayBuffer>): Promise<StateAnswer> {
    const { client, control, limits, log } = this.#options;
    const signal = AbortSignal.any([control.ended, AbortSignal.timeout(limits.stateHoldMs)]);
    return retryUntilAnswered(() => client.state(method, path, signal, body), {
      backOff: new BackOff(limits),
      signal,
      log,
    });
  }

  #knows(authorization: string | undefined): boolean {
    const expected = `Basic ${Buffer.from(`${USER}:${this.#password}`).toString("base64")}`;
    return timingSafeEqual(sha256(authorization ?? ""), sha256(expected));
  }
}

function text(status: number, message: string): StateAnswer {
  return { status, body: Buffer.from(message) };
}

/** Describes the lock's holder for the engine. A body that is none, such as a proxy's, stays unchanged. */
function describeHolder(body: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const holder = holderSchema.safeParse(tryParse(body)).data;
  return holder === undefined ? body : Buffer.from(JSON.stringify(namedHolder(holder)));
}

function sha256(value: string): Buffer {
  return createHash("sha256").update(value).digest();
}

function tryParse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** Reads a body; `undefined` above `limit`. The rest is read and discarded, so that the client gets the answer. */
async function readAll(request: IncomingMessage, limit: number): Promise<Buffer<ArrayBuffer> | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length <= limit) chunks.push(chunk);
    else chunks.length = 0;
  }
  return length > limit ? undefined : Buffer.concat(chunks);
}
