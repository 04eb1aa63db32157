import { randomBytes } from "node:crypto";
import { Pool } from "pg";
import { inject } from "vitest";
import type { PostgresConnection } from "../../src/persistence/embedded/embedded-postgres.ts";
import { waitUntil } from "./eventually.ts";
import { TEMPLATE_DATABASE } from "./template.ts";

const CLOSING = { timeout: 10_000, interval: 5 };

/** A database of its own: LISTEN channels and advisory locks are per database, so that files do not meet. */
export interface TestDatabase extends AsyncDisposable {
  readonly connection: PostgresConnection;
  /** For what takes a DATABASE_URL. */
  readonly url: string;
  /** Drops it at once, under whoever is connected. */
  drop(): Promise<void>;
}

/**
 * Clones the migrated template, file by file: by way of the log, as is the default, takes twice the CPU time (24 ms).
 * Disposing of it waits until nobody is connected, and drops it.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  return await create(`CREATE DATABASE $name TEMPLATE ${TEMPLATE_DATABASE} STRATEGY file_copy`);
}

/** A database without any table, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await create("CREATE DATABASE $name STRATEGY file_copy");
}

async function create(statement: string): Promise<TestDatabase> {
  const connection = { ...inject("postgres"), database: `test_${randomBytes(8).toString("hex")}` };
  await administration().query(statement.replace("$name", connection.database));
  return {
    connection,
    url: urlOf(connection),
    drop: () => drop(connection.database),
    async [Symbol.asyncDispose]() {
      await untilClosed(connection.database);
      await drop(connection.database);
    },
  };
}

/** A socket's folder travels as the host, percent-encoded. */
export function urlOf({ host, port, user, password, database }: PostgresConnection): string {
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `postgres://${credentials}@${encodeURIComponent(host)}:${port}/${database}`;
}

/**
 * A pool's end() does not wait for its connections to be closed, and one that is cut off then raises an "error" event
 * that nobody hears any more. So those get their time; what is still there afterwards was left open, and is cut off.
 */
async function untilClosed(database: string): Promise<void> {
  const isClosed = async (): Promise<boolean> => {
    const open = await administration().query("SELECT 1 FROM pg_stat_activity WHERE datname = $1", [database]);
    return open.rows.length === 0;
  };
  await waitUntil(isClosed, CLOSING).catch(() => undefined);
}

async function drop(database: string): Promise<void> {
  await administration().query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
}

let pool: Pool | undefined;

/** Databases come and go by one connection for all files of a process, which it does not wait for when it ends. */
function administration(): Pool {
  pool ??= new Pool({ ...inject("postgres"), max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
  return pool;
}
