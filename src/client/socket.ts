import { type Client as WsClient, createClient as createWsClient } from "graphql-ws/client";

import {
  ClientError,
  errorOfAnswer,
  isRecord,
  RequestError,
  UnauthenticatedError,
  UnreachableError,
} from "./errors.ts";

/** How a dropped connection is tried again: `attempts` times in a row, waiting `baseMs`, twice that, ... up to `maxMs`. */
export interface RetrySettings {
  readonly attempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
}

/** About 20 seconds in all: long enough for a server that restarts with its database. */
export const defaultRetry: RetrySettings = { attempts: 8, baseMs: 250, maxMs: 4_000 };

const pingEveryMs = 10_000;
const pongWithinMs = 5_000;
const acknowledgeWithinMs = 10_000;
/** A connection that was asked whether it lives has this long: a person waits for the answer. */
const answerWithinMs = 2_000;
/** The ping of the protocol, which the library sends by its timer alone. */
const PING = JSON.stringify({ type: "ping" });

/** The close codes of the protocol that mean: this token, not this connection. */
const closeUnauthorized = 4401;
const closeForbidden = 4403;

export interface SocketOptions {
  /** The `ws:` or `wss:` address. */
  readonly url: string;
  /** Absent: the session of the browser is used. */
  readonly token: string | undefined;
  readonly retry: RetrySettings;
  /** Called each time when a dropped connection is tried again. */
  readonly onRetry: () => void;
  /** Called when the server has accepted the connection, and whenever it answers that the connection is alive. */
  readonly onAlive: () => void;
  /** Called when the connection was lost or closed. */
  readonly onClosed: () => void;
  /** Ends waits between retries. */
  readonly signal: AbortSignal;
}

/** One WebSocket for all streams, and the way to check it at once. */
export interface Socket {
  readonly client: WsClient;
  /**
   * Checks the connection now: one that was dropped is tried without the rest of its wait, and one that does not answer
   * within 2 s is dropped and made again at once. A machine that was asleep has connections that look open and are not.
   */
  check(): void;
}

/** One WebSocket for all streams, opened with the first of them and closed with the last. */
export function createSocket(options: SocketOptions): Socket {
  const { retry, token } = options;
  let pongTimer: ReturnType<typeof setTimeout> | undefined;
  let endWait = (): void => {};
  let skipsWait = false;
  let open: { send(text: string): void } | null = null;
  const forgetPong = (): void => {
    clearTimeout(pongTimer);
    pongTimer = undefined;
  };
  const expectPong = (withinMs: number, isAsked = false): void => {
    // The regular ping after a sleep does not prolong the wait for the answer that was asked for.
    if (pongTimer !== undefined && !isAsked) return;
    clearTimeout(pongTimer);
    pongTimer = setTimeout(() => {
      pongTimer = undefined;
      skipsWait = isAsked;
      client.terminate();
    }, withinMs);
  };
  const client = createWsClient({
    url: options.url,
    ...(token !== undefined && { connectionParams: { authorization: `Bearer ${token}` } }),
    connectionAckWaitTimeout: acknowledgeWithinMs,
    keepAlive: pingEveryMs,
    retryAttempts: retry.attempts,
    retryWait: async (retries) => {
      if (skipsWait) {
        skipsWait = false;
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.min(retry.baseMs * 2 ** retries, retry.maxMs));
      endWait = resolve;
      options.signal.addEventListener("abort", endWait, { once: true });
      if (options.signal.aborted) endWait();
      await promise;
      clearTimeout(timer);
      options.signal.removeEventListener("abort", endWait);
    },
    // A refused connection is an error event, not a close event; the library alone would give up on it at once.
    shouldRetry: (cause) => closeCodeOf(cause) !== closeForbidden,
    on: {
      connecting: (isRetry) => {
        if (isRetry) options.onRetry();
      },
      // A peer that vanished without a word leaves a socket open that never sends anything again.
      ping: (received) => {
        if (!received) expectPong(pongWithinMs);
      },
      pong: (received) => {
        if (!received) return;
        forgetPong();
        options.onAlive();
      },
      connected: (socket) => {
        open = isSender(socket) ? socket : null;
        options.onAlive();
      },
      closed: () => {
        open = null;
        forgetPong();
        options.onClosed();
      },
    },
  });
  return {
    client,
    check() {
      endWait();
      if (open === null) return;
      expectPong(answerWithinMs, true);
      open.send(PING);
    },
  };
}

function isSender(value: unknown): value is { send(text: string): void } {
  return typeof value === "object" && value !== null && "send" in value && typeof value.send === "function";
}

/** Describes in one error how a stream ended: GraphQL errors, a close event, or a connection that could not be made. */
export function errorOfStream(cause: unknown, url: string): ClientError {
  if (cause instanceof ClientError) return cause;
  if (Array.isArray(cause)) return errorOfAnswer(cause);
  const code = closeCodeOf(cause);
  if (code === closeUnauthorized) return new UnauthenticatedError("The server does not accept the token.");
  if (code === closeForbidden) return new UnauthenticatedError("The token was revoked or has expired.");
  if (code !== undefined && code >= 4000 && code < 4499) {
    return new RequestError(`The server closed the stream with code ${code}${reasonOf(cause)}.`);
  }
  return new UnreachableError(`The server at ${url} does not answer any more.`);
}

function closeCodeOf(cause: unknown): number | undefined {
  if (typeof cause !== "object" || cause === null || !("code" in cause)) return undefined;
  return typeof cause.code === "number" ? cause.code : undefined;
}

function reasonOf(cause: unknown): string {
  const reason = isRecord(cause) ? cause["reason"] : undefined;
  return typeof reason === "string" && reason !== "" ? ` (${reason})` : "";
}
