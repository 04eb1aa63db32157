import { access, chmod, mkdtemp, readdir, readFile, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import type { TestProject } from "vitest/node";
import {
  type EmbeddedPostgres,
  type PostgresConnection,
  startEmbeddedPostgres,
} from "../../src/persistence/embedded/embedded-postgres.ts";
import { postgresFolders } from "../../src/persistence/embedded/folders.ts";
import type { Executor } from "../../src/graphql/execution/executor.ts";
import { migrateToLatest } from "../../src/persistence/database/migrate.ts";
import { TEMPLATE_DATABASE } from "./template.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server of this test run; its `database` is for administration. */
    readonly postgres: PostgresConnection;
    /** How many random sequences the model test tries. */
    readonly modelRuns: number;
    /** Whether walks have all of their cases. */
    readonly walks: boolean;
    /** Whether there is time for cases that differ from others in size alone. */
    readonly soaks: boolean;
    /** Which executor the endpoints of the tests have. */
    readonly executor: Executor;
  }
}

const MEMORY_FOLDER = "/dev/shm";
const MEMORY_BYTES = 4 * 1024 ** 3;
/** With the id of the process behind it. */
const OWN_FOLDER = "holdpoint-";
const LEFT_FOLDER = /^holdpoint-(\d+)-/;
/** Passwords are sent as they are, over a socket in a private folder: proofs were half of a connection's CPU in Node. */
const PLAIN_PASSWORDS = "local all all password\n";
const QUIET = { info: () => {}, warn: () => {} };

/** One Postgres for the whole run, started as the product starts it, with a migrated database to clone. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const temporary = await ownTemporaryFolder();
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-test-"));
  // Files that run at once have several servers each.
  const maxConnections = 400;
  const postgres = await startEmbeddedPostgres({ dataDir, log: QUIET, uid: process.getuid?.(), maxConnections });
  const teardown = async (): Promise<void> => {
    await postgres.stop();
    await rm(temporary, { recursive: true, force: true });
  };
  try {
    await writeFile(join(postgresFolders(dataDir).pgData, "pg_hba.conf"), PLAIN_PASSWORDS);
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
  const parent = (await hasMemoryFolder()) ? MEMORY_FOLDER : tmpdir();
  if (parent === MEMORY_FOLDER) await removeLeftFolders();
  const folder = await mkdtemp(join(parent, `${OWN_FOLDER}${process.pid}-`));
  // As the system's own: users of a lower rank make files in it too.
  await chmod(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  return folder;
}

/**
 * Databases come and go with a thousand files each, and ext4 goes round those that have just been removed: a twentieth of
 * all CPU time. In memory there is nothing of that, where it is enough for them and lets engines be run from it.
 */
async function hasMemoryFolder(): Promise<boolean> {
  try {
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    const mounts = (await readFile("/proc/self/mounts", "utf8")).split("\n").map((line) => line.split(" "));
    const options = mounts.findLast(([, folder]) => folder === MEMORY_FOLDER)?.[3]?.split(",");
    return options !== undefined && !options.includes("noexec") && bavail * bsize >= MEMORY_BYTES;
  } catch {
    return false;
  }
}

/** What a run that was killed has left takes memory, and nobody else would remove it. */
async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(MEMORY_FOLDER)) {
    const [, pid] = name.match(LEFT_FOLDER) ?? [];
    if (pid === undefined) continue;
    const isLive = await access(`/proc/${pid}`).then(
      () => true,
      () => false,
    );
    // Another user's cannot be removed.
    if (!isLive) await rm(join(MEMORY_FOLDER, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function prepare({ connection }: EmbeddedPostgres): Promise<void> {
  await administer(connection, [
    // Tests kill processes, never the machine: nothing that they look at depends on the disk's flush.
    "ALTER SYSTEM SET fsync = off",
    "ALTER SYSTEM SET synchronous_commit = off",
    "ALTER SYSTEM SET full_page_writes = off",
    // Databases live for seconds: nobody reads what a worker would tidy in each of them.
    "ALTER SYSTEM SET autovacuum = off",
    // Files of the template are copied within the system: a tenth of what a database costs.
    "ALTER SYSTEM SET file_copy_method = clone",
    // 4,096 rounds for each of some thousand connections.
    "SET scram_iterations = 1",
    `ALTER ROLE ${connection.user} PASSWORD '${connection.password}'`,
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
