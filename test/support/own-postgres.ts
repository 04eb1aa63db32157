/** A Postgres of a test's own, which it can stop and start again under a server. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/persistence/embedded/embedded-postgres.ts";
import { urlOf } from "./database.ts";

const QUIET = { info: () => {}, warn: () => {} };
/** How Postgres is told: the fast shutdown cuts all connections, the immediate one is a crash. */
const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT" } as const;

export type StopMode = keyof typeof SIGNALS;

export interface OwnPostgres extends AsyncDisposable {
  /** The same one after every start. */
  readonly url: string;
  /** Fulfilled when it has ended. */
  stop(mode: StopMode): Promise<void>;
  start(): Promise<void>;
  /** Rows of a statement, on a connection of its own. */
  query(text: string): Promise<Record<string, unknown>[]>;
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-postgres-"));
  await chmod(dataDir, 0o711);
  const start = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({ dataDir, log: QUIET, uid: process.getuid?.() });
  let running = await start();
  const { connection } = running;
  return {
    url: urlOf(connection),
    async stop(mode) {
      process.kill(running.pid, SIGNALS[mode]);
      await running.exited;
    },
    async start() {
      running = await start();
    },
    async query(text) {
      const client = new Client({ ...connection });
      await client.connect();
      try {
        return (await client.query<Record<string, unknown>>(text)).rows;
      } finally {
        await client.end();
      }
    },
    async [Symbol.asyncDispose]() {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
