import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import type { TestProject } from "vitest/node";
import {
  type EmbeddedPostgres,
  type PostgresConnection,
  startEmbeddedPostgres,
} from "../../src/persistence/embedded-postgres.ts";
import { migrateToLatest } from "../../src/persistence/migrate.ts";
import { TEMPLATE_DATABASE } from "./template.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run; its `database` is for administration. */
    readonly postgres: PostgresConnection;
    /** How many random sequences the model test tries. */
    readonly modelRuns: number;
    /** Whether there is time for cases that differ from others in size alone. */
    readonly soaks: boolean;
  }
}

const QUIET = { info: () => {}, warn: () => {} };

/** One Postgres for the whole run, started as the product starts it, with a migrated database to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const temporary = await ownTemporaryFolder();
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-test-"));
  const postgres = await startEmbeddedPostgres({ dataDir, log: QUIET, uid: process.getuid?.() });
  const teardown = async (): Promise<void> => {
    await postgres.stop();
    await rm(temporary, { recursive: true, force: true });
  };
  try {
    await prepare(postgres);
  } catch (error) {
    await teardown();
    throw error;
  }
  project.provide("postgres", postgres.connection);
  return teardown;
}

/**
 * Whatever the tests put among the temporary files goes when they end, also what one leaves behind that has failed or
 * that kills its server. All of their processes hear of it by TMPDIR.
 */
async function ownTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-tests-"));
  // As the system's own: users of a lower rank make files in it too.
  await chmod(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  return folder;
}

async function prepare({ connection }: EmbeddedPostgres): Promise<void> {
  // Tests kill processes, never the machine: nothing that they look at depends on the disk's flush.
  await administer(connection, [
    "ALTER SYSTEM SET fsync = off",
    "ALTER SYSTEM SET synchronous_commit = off",
    // Connections are short-lived, and would plan each statement up to six times: 8 % of the CPU of domain tests.
    "ALTER SYSTEM SET plan_cache_mode = force_generic_plan",
    "SELECT pg_reload_conf()",
    `CREATE DATABASE ${TEMPLATE_DATABASE}`,
  ]);
  const pool = new Pool({ ...connection, database: TEMPLATE_DATABASE });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrateToLatest(db);
  } finally {
    await db.destroy();
  }
  await administer(connection, [`ALTER DATABASE ${TEMPLATE_DATABASE} IS_TEMPLATE true ALLOW_CONNECTIONS false`]);
}

async function administer(connection: PostgresConnection, statements: readonly string[]): Promise<void> {
  const client = new Client({ ...connection });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
