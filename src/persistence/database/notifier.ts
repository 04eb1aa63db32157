import { setImmediate, setTimeout } from "node:timers/promises";
import pg from "pg";
import { KEEP_ALIVE } from "./keep-alive.ts";

/**
 * A subject of hints: events of a run, lines of its log, events of a workspace, an organization or a changeset with all
 * its runs, the end of a token, rights that were taken away, work for runners, messages for webhooks, operations on many
 * runs, changesets with work to do, judgements of runs, repositories whose refs may have moved, results of external checks
 * that are due, requests of checks that runners send, verifications, probes of them that runners send, or runs that begin
 * or cease to need a person.
 */
export const TOPIC_KINDS = ["run", "log", "ws", "org", "cs", "token"] as const;
const SINGLE_TOPICS = [
  "work",
  "webhooks",
  "bulk",
  "changesets",
  "judgements",
  "rights",
  "repositories",
  "checks",
  "check-requests",
  "verifications",
  "verification-samples",
  "inbox",
] as const;
export type Topic = `${(typeof TOPIC_KINDS)[number]}:${string}` | (typeof SINGLE_TOPICS)[number];

/** Whether a message of a bus is a topic. */
export function isTopic(text: string): text is Topic {
  return SINGLE_TOPICS.some((topic) => text === topic) || TOPIC_KINDS.some((kind) => text.startsWith(`${kind}:`));
}

/** The channel that carries topics between all processes on one database. */
export const CHANNEL = "holdpoint";

/**
 * In place of a topic, over the database: a server has lost another bus. It has no hints from there, and some of its own
 * may not have arrived.
 */
export const PEER_AWAY = "peer-away";
export type Message = Topic | typeof PEER_AWAY;

/** Sends hints that something was committed. A lost hint is found by the slow poll of the listeners. */
export interface Notifier<T extends string = Topic> extends AsyncDisposable {
  send(topics: Iterable<T>): void;
}

/** Receives the hints of every server. */
export interface HintListener {
  signal(topic: Topic): void;
  /** Hints may have been lost: every watch looks again. */
  signalAll(): void;
}

/**
 * Hints that follow one within this many milliseconds travel together: one NOTIFY for each holds a lock over the whole
 * database. The first one after a pause does not wait.
 */
const COALESCE_MS = 10;
const RECONNECT_MS = 1000;

/** A way for topics that were gathered; each topic is in there once. */
interface Carrier<T> {
  /** Never rejects: what cannot be delivered is given up. `isClosed`: it is not reported either. */
  deliver: (topics: T[], isClosed: () => boolean) => Promise<void>;
  /** After the last delivery. */
  close: () => Promise<void>;
}

/** Sends at once, and gathers what comes in the moment after that. */
export function coalesced<T extends string>({ deliver, close }: Carrier<T>): Notifier<T> {
  const pending = new Set<T>();
  let sending: Promise<void> | null = null;
  let closed = false;

  async function flush(): Promise<void> {
    // What is sent in the same turn goes with it.
    await setImmediate();
    try {
      while (pending.size > 0) {
        const topics = [...pending];
        pending.clear();
        await deliver(topics, () => closed);
        if (!closed) await setTimeout(COALESCE_MS);
      }
    } finally {
      // In the same turn as the last read of `pending`: a topic that comes afterwards starts another flush.
      sending = null;
    }
  }

  return {
    send(topics) {
      if (closed) return;
      for (const topic of topics) pending.add(topic);
      if (pending.size === 0 || sending !== null) return;
      sending = flush();
    },
    async [Symbol.asyncDispose]() {
      // First of all: a flush that began later would open a connection that stays open.
      closed = true;
      await sending;
      await close();
    },
  };
}

/** One text there and one row back, planned once: a list of each took Node and Postgres twice as long. */
const NOTIFY = { name: "notify", text: "select count(pg_notify($1, topic)) from string_to_table($2, ' ') as topic" };

/**
 * A notifier on a connection of its own, which does not wait for the disk. The first message opens the connection.
 */
export function createNotifier(connection: pg.ClientConfig, onError: (error: Error) => void): Notifier<Message> {
  let client: pg.Client | null = null;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const fresh = new pg.Client({
      ...KEEP_ALIVE,
      ...connection,
      options: "-c synchronous_commit=off -c statement_timeout=10000",
    });
    fresh.on("error", (error) => {
      if (client === fresh) client = null;
      if (!closed) onError(error);
    });
    await fresh.connect();
    return fresh;
  }

  return coalesced({
    async deliver(topics, isClosed) {
      try {
        client ??= await connect();
        await client.query({ ...NOTIFY, values: [CHANNEL, topics.join(" ")] });
      } catch (error) {
        // Listeners poll as well: hints of a broken connection are given up rather than kept without bound.
        const broken = client;
        client = null;
        void broken?.end().catch(() => undefined);
        if (isClosed()) return;
        onError(error instanceof Error ? error : new Error(String(error)));
        await setTimeout(RECONNECT_MS);
      }
    },
    async close() {
      closed = true;
      await client?.end();
    },
  });
}
