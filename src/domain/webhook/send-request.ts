/** One request to a target that nobody here trusts. */
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { AllowedTarget, DeliveryLimits } from "../../model/webhook/webhook.ts";
import { isAllowedAddress, literalAddress, targetOf } from "./address-guard.ts";
import { guardedLookup, type Resolve, TargetRefused } from "./guarded-lookup.ts";

export interface WebhookRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface Transport {
  allowed: readonly AllowedTarget[];
  limits: DeliveryLimits;
  resolve?: Resolve | undefined;
}

export interface WebhookAnswer {
  /** null: there was none. */
  statusCode: number | null;
  /** What went wrong on the way; it never has the URL in it. */
  error: string | null;
  /** What was read of the answer's body. */
  text: string;
}

const ERROR_LENGTH = 300;

/**
 * Posts a message and reads the beginning of the answer. Redirects are not followed, proxies of the environment are not
 * used, and the connection is destroyed at the end, whatever the target still has to say. It throws only where `signal`
 * ends it; everything that a target does wrong is an answer.
 */
export async function sendRequest(
  { url: text, headers, body }: WebhookRequest,
  { allowed, limits, resolve }: Transport,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const url = new URL(text);
  const target = targetOf(url);
  const literal = literalAddress(target);
  if (literal !== null && !isAllowedAddress(literal, target, allowed)) return failed(new TargetRefused().message);
  const { connectMs, totalMs } = limits;
  using deadline = createDeadline(signal);
  const stopConnectTimer = deadline.after(connectMs, `There was no connection within ${connectMs} ms.`);
  deadline.after(totalMs, `There was no answer within ${totalMs} ms.`);
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const request = send(url, {
    method: "POST",
    headers: { ...headers, "content-length": Buffer.byteLength(body) },
    // An agent of its own: nothing is kept for the next request, and the proxies of the global one are not asked.
    agent: false,
    lookup: guardedLookup(target, allowed, resolve),
    signal: deadline.signal,
  });
  request.once("socket", (socket) => {
    socket.once(url.protocol === "https:" ? "secureConnect" : "connect", stopConnectTimer);
  });
  try {
    const answer = await new Promise<IncomingMessage>((done, fail) => {
      request.once("response", done);
      // Also after the first one: an error that nobody hears would end the process.
      request.on("error", fail);
      // An upgrade that nobody asked for ends without a response.
      request.once("close", () => fail(new Error("The connection ended without an answer.")));
      request.end(body);
    });
    const statusCode = answer.statusCode ?? null;
    return { statusCode, error: null, text: await readBeginning(answer, limits.answerBytes) };
  } catch (error) {
    signal.throwIfAborted();
    return failed(deadline.passed() ?? describe(error));
  } finally {
    request.destroy();
  }
}

interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Ends everything with this message, unless what it gives is called before. */
  after(ms: number, message: string): () => void;
  /** The message of the time that was over first. */
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

/** The status is known by now: a body that breaks off, or does not end in time, is read as far as it came. */
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
    // As far as it came.
  }
  return Buffer.concat(pieces).toString();
}

function failed(error: string): WebhookAnswer {
  return { statusCode: null, error, text: "" };
}

/** A name with several addresses fails with one error for each, and no message of its own. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return "The request failed.";
  const first: unknown = error instanceof AggregateError ? error.errors[0] : null;
  const text = error.message === "" && first instanceof Error ? first.message : error.message || error.name;
  return text.slice(0, ERROR_LENGTH);
}
