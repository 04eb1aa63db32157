/**
 * Hints over NATS instead of the database: for installations whose one Postgres has no room for NOTIFY. A hint that was
 * lost is found by the listeners' slow poll, so nobody waits for this: a server starts without its NATS, and says so.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, credsAuthenticator, type NatsConnection, type NodeConnectionOptions } from "@nats-io/transport-node";
import type { Cipher } from "./cipher.ts";
import { coalesced, isTopic, type Notifier, type Topic } from "../database/notifier.ts";

export interface NatsHintSettings {
  /** `host:port`, without credentials. */
  readonly servers: readonly string[];
  readonly tls: boolean;
  readonly login: { user: string; password: string } | { token: string } | null;
  /** A file as `nsc` writes it; read again with each connection. */
  readonly credsFile: string | null;
}

/** Hears what was committed, on whichever server. */
export interface HintListener {
  signal(topic: Topic): void;
  /** Hints may have been lost: everybody looks again. */
  signalAll(): void;
}

export interface NatsHints extends AsyncDisposable {
  readonly notifier: Notifier;
  /** From now on; one listener. */
  listen(listener: HintListener): void;
}

const RETRY_MS = 1000;
const FLUSH_MS = 500;
const CONNECT_LIMIT_MS = 10_000;
/** A connection that answers nothing for about so long, twice, is given up. */
const PING_MS = 10_000;
/** Of some 40 bytes each: a message of NATS holds a mebibyte. */
const TOPICS_PER_MESSAGE = 1000;
/** In place of topics: the sender has lost some. */
const LOOK_AGAIN = "*";

/** What servers of one installation listen to: two of them on one NATS do not meet. */
export function natsSubject(cipher: Pick<Cipher, "mac">): string {
  return `holdpoint.${cipher.mac("hints", "nats").toString("hex").slice(0, 24)}.hints`;
}

/**
 * `subject`: what servers of this installation alone listen to. `onError` hears of an outage once, and once a connection
 * of what NATS does not let this server do; `onBack` of the end of an outage.
 */
export function createNatsHints(
  settings: NatsHintSettings,
  subject: string,
  { onError, onBack }: { onError: (error: Error) => void; onBack: () => void },
): NatsHints {
  const stop = new AbortController();
  let connection: NatsConnection | null = null;
  let listener: HintListener | null = null;
  let isAway = false;
  const told = new Set<string>();
  const running = keepConnected();

  async function keepConnected(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await stayConnected();
      } catch (error) {
        away(error);
      }
      await sleep(RETRY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  }

  async function stayConnected(): Promise<void> {
    const connecting = connect(await connectionOptions(settings));
    const fresh = await unlessStopped(connecting);
    if (fresh === null) {
      void connecting.then((late) => late.close()).catch(() => undefined);
      return;
    }
    const close = (): void => void fresh.close().catch(() => undefined);
    // Also while it is away: asked again by the library, it would never end.
    stop.signal.addEventListener("abort", close);
    try {
      if (stop.signal.aborted) close();
      await follow(fresh);
    } finally {
      stop.signal.removeEventListener("abort", close);
    }
    const reason = await fresh.closed();
    away(reason instanceof Error ? reason : new Error("The connection to NATS ended."));
  }

  /** Until it is closed. */
  async function follow(fresh: NatsConnection): Promise<void> {
    fresh.subscribe(subject, {
      callback: (error, message) => (error === null ? hear(message.string()) : complain(error)),
    });
    back(fresh);
    for await (const status of fresh.status()) {
      if (status.type === "disconnect") away(new Error(`The connection to NATS at ${status.server} was lost.`));
      if (status.type === "reconnect") back(fresh);
      if (status.type === "error") complain(status.error);
    }
  }

  async function unlessStopped(connecting: Promise<NatsConnection>): Promise<NatsConnection | null> {
    const stopped = Promise.withResolvers<null>();
    const onStop = (): void => stopped.resolve(null);
    stop.signal.addEventListener("abort", onStop);
    try {
      return stop.signal.aborted ? null : await Promise.race([connecting, stopped.promise]);
    } finally {
      stop.signal.removeEventListener("abort", onStop);
    }
  }

  function away(error: unknown): void {
    connection = null;
    if (isAway || stop.signal.aborted) return;
    isAway = true;
    onError(error instanceof Error ? error : new Error(String(error)));
  }

  /** Whoever may not publish is told so with every single hint. */
  function complain(error: Error): void {
    if (told.has(error.message)) return;
    told.add(error.message);
    onError(error);
  }

  /** Whoever listens has missed hints, and what this server had to say meanwhile was dropped. */
  function back(to: NatsConnection): void {
    connection = to;
    told.clear();
    if (isAway) onBack();
    isAway = false;
    listener?.signalAll();
    to.publish(subject, LOOK_AGAIN);
  }

  function hear(text: string): void {
    if (text === LOOK_AGAIN) listener?.signalAll();
    else for (const topic of text.split("\n")) if (isTopic(topic)) listener?.signal(topic);
  }

  async function publish(topics: readonly Topic[]): Promise<void> {
    for (let start = 0; start < topics.length; start += TOPICS_PER_MESSAGE) {
      // While it is away hints are given up rather than kept without bound.
      connection?.publish(subject, topics.slice(start, start + TOPICS_PER_MESSAGE).join("\n"));
    }
  }

  return {
    notifier: coalesced({
      deliver: (topics) => publish(topics).catch(away),
      // Answered within a round trip, or not at all.
      close: async () => {
        await Promise.race([connection?.flush().catch(() => undefined), sleep(FLUSH_MS)]);
      },
    }),
    listen(heard) {
      listener = heard;
    },
    async [Symbol.asyncDispose]() {
      await this.notifier[Symbol.asyncDispose]();
      stop.abort();
      await running;
    },
  };
}

async function readCreds(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Error(`HOLDPOINT_NATS_CREDS: ${error instanceof Error ? error.message : file}`, { cause: error });
  }
}

async function connectionOptions({ servers, tls, login, credsFile }: NatsHintSettings): Promise<NodeConnectionOptions> {
  return {
    servers: [...servers],
    name: "holdpoint",
    timeout: CONNECT_LIMIT_MS,
    reconnectTimeWait: RETRY_MS,
    maxReconnectAttempts: -1,
    pingInterval: PING_MS,
    ...(tls && { tls: {} }),
    ...(login !== null && ("token" in login ? { token: login.token } : { user: login.user, pass: login.password })),
    ...(credsFile !== null && { authenticator: credsAuthenticator(await readCreds(credsFile)) }),
  };
}
