/** The benchmark's own Postgres, in a folder that stays: seeding is done once, not with every run. */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { openDataFolder } from "../../src/server/data-folder.ts";
import {
  findEmbeddedConnection,
  type PostgresConnection,
  startEmbeddedPostgres,
} from "../../src/persistence/embedded/embedded-postgres.ts";
import { ownIdentity } from "../../src/os/process-identity.ts";
import { AlreadyRunningError } from "../../src/server/server-claim.ts";
import { processTreeCpuSeconds } from "../measure/cpu.ts";

const QUIET = { info: () => {}, warn: () => {} };
/** Advisory locks in the database for administration: who makes data sets, and who uses the server. */
const MAKING = 1;
const USING = 2;
/** For all servers that are measured beside each other, each with its pool. */
const MAX_CONNECTIONS = 400;
/** Begins the names of databases that live as long as a part. */
export const PART_PREFIX = "bench_part_";
const ATTACH_POLL_MS = 200;

/** A running server that several benchmarks may use; the one that started it waits at its end for the others. */
export interface Cluster extends AsyncDisposable {
  /** To a database for administration. */
  readonly connection: PostgresConnection;
  /** Seconds of CPU of all its processes so far. */
  cpuSeconds(): Promise<number>;
  /** One of them at a time makes data sets. */
  whileMaking<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

/** Where the data sets are kept: among the temporary files, whose path is short enough for a socket. */
export function cacheFolder(): string {
  return join(tmpdir(), `holdpoint-bench-${process.getuid?.() ?? 0}`);
}

/** Starts the server on the folder, or joins the one that another benchmark has started there. */
export async function openCluster(dataDir: string): Promise<Cluster> {
  await mkdir(dataDir, { recursive: true });
  await chmod(dataDir, 0o711);
  for (;;) {
    try {
      return await startCluster(dataDir);
    } catch (error) {
      if (!(error instanceof AlreadyRunningError)) throw error;
    }
    const joined = await joinCluster(dataDir);
    if (joined !== null) return joined;
    await sleep(ATTACH_POLL_MS);
  }
}

async function startCluster(dataDir: string): Promise<Cluster> {
  const uid = process.getuid?.();
  const stack = new AsyncDisposableStack();
  try {
    stack.use(await openDataFolder({ dir: dataDir, uid, identity: ownIdentity(), randomBytes }));
    const postgres = stack.use(
      await startEmbeddedPostgres({ dataDir, log: QUIET, uid, maxConnections: MAX_CONNECTIONS }),
    );
    const client = await connect(postgres.connection);
    await dropLeft(client);
    stack.defer(async () => {
      // No other benchmark may be measuring when the server stops.
      await client.query("select pg_advisory_lock($1)", [USING]);
      await client.end();
    });
    return cluster(dataDir, postgres.connection, stack);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Drops copies of a benchmark that was killed. The process that starts the server is alone on it. */
async function dropLeft(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select datname as name from pg_database where starts_with(datname, $1)",
    [PART_PREFIX],
  );
  for (const { name } of rows) await client.query(`drop database if exists ${name} with (force)`);
}

async function joinCluster(dataDir: string): Promise<Cluster | null> {
  const found = await findEmbeddedConnection(dataDir);
  if (found === null) return null;
  const stack = new AsyncDisposableStack();
  try {
    const client = await connect(found);
    stack.defer(() => client.end());
    await client.query("select pg_advisory_lock_shared($1)", [USING]);
    return cluster(dataDir, found, stack);
  } catch {
    await stack.disposeAsync();
    return null;
  }
}

function cluster(dataDir: string, connection: PostgresConnection, stack: AsyncDisposableStack): Cluster {
  return {
    connection: { ...connection, database: "postgres" },
    async cpuSeconds() {
      const text = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8");
      return processTreeCpuSeconds(Number(text.split("\n")[0]));
    },
    async whileMaking(work) {
      const client = await connect(connection);
      try {
        await client.query("select pg_advisory_lock($1)", [MAKING]);
        return await work(client);
      } finally {
        await client.end();
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function connect(connection: PostgresConnection): Promise<Client> {
  const client = new Client({ ...connection, database: "postgres" });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}
