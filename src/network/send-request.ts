/** Sends one request to an untrusted target. */
import type { ClientRequest, IncomingMessage } from "node:http";
import type { AllowedTarget } from "../model/kit/allowed-target.ts";
import { type Resolve, TargetRefused } from "./guarded-lookup.ts";
import { openRequest } from "./open-request.ts";
import { answerTo, failureText } from "./untrusted-request.ts";

/** The default of `refused`, for requests of the server. */
const NOT_PUBLIC = "The address is not public. Name it in HOLDPOINT_WEBHOOK_ALLOW to allow it.";

export interface OutgoingRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Durations in milliseconds. */
export interface RequestLimits {
  /** The time for the look-up of the name and the connection. */
  connectMs: number;
  /** The time for the whole request and response. */
  totalMs: number;
  /** The bytes of a response that are read. */
  answerBytes: number;
}

export interface Transport {
  allowed: readonly AllowedTarget[];
  limits: RequestLimits;
  resolve?: Resolve | undefined;
  /** The failure of a request to an address that is not allowed. */
  refused?: string;
}

export interface TargetResponse {
  /** `null` if there was no response. */
  statusCode: number | null;
  /** The failure of the request; never contains the URL. */
  error: string | null;
  /** The beginning of the response body. */
  text: string;
}

const ERROR_LENGTH = 300;

/**
 * Posts a message and reads the beginning of the response. Follows no redirects, uses no proxies of the environment,
 * and always closes the connection. Throws only if `signal` aborts; every failure of the target is a result.
 */
export async function sendRequest(
  { url: text, headers, body }: OutgoingRequest,
  { allowed, limits, resolve, refused = NOT_PUBLIC }: Transport,
  signal: AbortSignal,
): Promise<TargetResponse> {
  const url = new URL(text);
  const { connectMs, totalMs } = limits;
  using deadline = createDeadline(signal);
  const stopConnectTimer = deadline.after(connectMs, `The target accepted no connection within ${connectMs} ms.`);
  deadline.after(totalMs, `The target sent no response within ${totalMs} ms.`);
  let request: ClientRequest | null = null;
  try {
    request = openRequest(url, {
      method: "POST",
      headers: { ...headers, "content-length": Buffer.byteLength(body) },
      allowed,
      signal: deadline.signal,
      resolve,
    });
    request.once("socket", (socket) => {
      socket.once(url.protocol === "https:" ? "secureConnect" : "connect", stopConnectTimer);
    });
    const answer = await answerTo(request, body);
    const statusCode = answer.statusCode ?? null;
    return { statusCode, error: null, text: await readBeginning(answer, limits.answerBytes) };
  } catch (error) {
    signal.throwIfAborted();
    return failed(deadline.passed() ?? (error instanceof TargetRefused ? refused : failureText(error, ERROR_LENGTH)));
  } finally {
    request?.destroy();
  }
}

interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Ends the request with this message after `ms`, unless the returned function is called first. */
  after(ms: number, message: string): () => void;
  /** The message of the first timer that ran out; `null` if none did. */
  passed(): string | null;
}

function createDeadline(outer: AbortSignal): Deadline {
  const inner = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let passed: string | null = null;
  const end = (): void => inner.abort();
  outer.throwIfAborted();
  outer.addEventListener("abort", end, { once: true });
  return {
    signal: inner.signal,
    after(ms, message) {
      const timer = setTimeout(() => {
        passed ??= message;
        end();
      }, ms);
      timers.push(timer);
      return () => clearTimeout(timer);
    },
    passed: () => passed,
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer);
      outer.removeEventListener("abort", end);
    },
  };
}

/** Reads the beginning of a body; one that breaks off or times out is returned as far as it came. */
async function readBeginning(answer: IncomingMessage, atMost: number): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of answer) {
      const bytes = Buffer.from(piece);
      pieces.push(bytes.subarray(0, atMost - size));
      size += bytes.length;
      if (size >= atMost) break;
    }
  } catch {
    // Incomplete body: what was received counts.
  }
  return Buffer.concat(pieces).toString();
}

function failed(error: string): TargetResponse {
  return { statusCode: null, error, text: "" };
}
