/**
 * Hints over NATS instead of the database: for installations whose one Postgres has no room for NOTIFY. A server that
 * cannot reach NATS, also at its start, sends its hints over the database, and asks the others to send theirs both ways.
 * A hint that is lost in between is found by the slow poll of the listeners.
 */
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, credsAuthenticator, type NatsConnection, type NodeConnectionOptions } from "@nats-io/transport-node";
import type { Cipher } from "./cipher.ts";
import {
  coalesced,
  type HintListener,
  isTopic,
  type Message,
  type Notifier,
  PEER_AWAY,
  type Topic,
} from "../database/notifier.ts";

export interface NatsHintSettings {
  /** `host:port`, without credentials. */
  readonly servers: readonly string[];
  readonly tls: boolean;
  readonly login: { user: string; password: string } | { token: string } | null;
  /** A file as `nsc` writes it; read again with each connection. */
  readonly credsFile: string | null;
}

export interface NatsHints extends AsyncDisposable {
  readonly notifier: Notifier;
  /** From now on; one listener. */
  listen(listener: HintListener): void;
  /** Records that another server has reported over the database that it cannot reach NATS. */
  peerAway(): void;
}

interface NatsHintDeps {
  /** Sends over the database; it outlives these hints. */
  fallback: Notifier<Message>;
  clock: () => Date;
  /** Called once an outage, and once a connection for each thing that NATS does not let this server do. */
  onError: (error: Error) => void;
  /** Called at the end of an outage. */
  onBack: () => void;
}

const RETRY_MS = 1000;
const FLUSH_MS = 500;
const CONNECT_LIMIT_MS = 10_000;
/** A connection that answers nothing for about so long, twice, is given up. */
const PING_MS = 10_000;
/** A topic has some 40 bytes, and a message of NATS at most a mebibyte. */
const TOPICS_PER_MESSAGE = 1000;
/** In place of topics: the sender has lost some. */
const LOOK_AGAIN = "*";
/** How often a server without NATS reports that, and how long it gets hints over the database after each report. */
const AWAY_NOTICE_MS = 5000;
const AWAY_MS = 3 * AWAY_NOTICE_MS;

/** The subject of one installation: two installations on one NATS have different ones. */
export function natsSubject(cipher: Pick<Cipher, "mac">): string {
  return `holdpoint.${cipher.mac("hints", "nats").toString("hex").slice(0, 24)}.hints`;
}

/** Connects in the background. `subject`: where the servers of this installation publish, and no others. */
export function createNatsHints(
  settings: NatsHintSettings,
  subject: string,
  { fallback, clock, onError, onBack }: NatsHintDeps,
): NatsHints {
  const stop = new AbortController();
  let connection: NatsConnection | null = null;
  let listener: HintListener | null = null;
  let isAway = false;
  let notices: NodeJS.Timeout | undefined;
  let peersAwayUntilMs = 0;
  const reported = new Set<string>();
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
      callback: (error, message) => (error === null ? receive(message.string()) : report(error)),
    });
    back(fresh);
    for await (const status of fresh.status()) {
      if (status.type === "disconnect") away(new Error(`The connection to NATS at ${status.server} was lost.`));
      if (status.type === "reconnect") back(fresh);
      if (status.type === "error") report(status.error);
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
    // Hints were lost with the connection, those of this server too.
    listener?.signalAll();
    const notice = (): void => fallback.send([PEER_AWAY]);
    notice();
    notices = setInterval(notice, AWAY_NOTICE_MS).unref();
  }

  /** NATS refuses every single hint of a server that may not publish. */
  function report(error: Error): void {
    if (reported.has(error.message)) return;
    reported.add(error.message);
    onError(error);
  }

  /** Hints of other servers may have been missed, and some of this one may not have arrived. */
  function back(to: NatsConnection): void {
    connection = to;
    reported.clear();
    clearInterval(notices);
    if (isAway) onBack();
    isAway = false;
    listener?.signalAll();
    to.publish(subject, LOOK_AGAIN);
  }

  function receive(text: string): void {
    if (text === LOOK_AGAIN) listener?.signalAll();
    else for (const topic of text.split("\n")) if (isTopic(topic)) listener?.signal(topic);
  }

  async function deliver(topics: readonly Topic[]): Promise<void> {
    try {
      for (let start = 0; start < topics.length; start += TOPICS_PER_MESSAGE) {
        connection?.publish(subject, topics.slice(start, start + TOPICS_PER_MESSAGE).join("\n"));
      }
    } catch (error) {
      away(error);
    }
    if (connection === null || clock().getTime() < peersAwayUntilMs) fallback.send(topics);
  }

  return {
    notifier: coalesced({
      deliver,
      // Answered within a round trip, or not at all.
      close: async () => {
        await Promise.race([connection?.flush().catch(() => undefined), sleep(FLUSH_MS)]);
      },
    }),
    listen(to) {
      listener = to;
    },
    peerAway() {
      const at = clock().getTime();
      // What that server sent just before has not arrived.
      if (at >= peersAwayUntilMs) listener?.signalAll();
      peersAwayUntilMs = at + AWAY_MS;
    },
    async [Symbol.asyncDispose]() {
      await this.notifier[Symbol.asyncDispose]();
      stop.abort();
      clearInterval(notices);
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
