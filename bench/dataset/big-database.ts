/** The databases that parts are given: a large one for reading, and copies or empty ones for those that write. */
import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { Kysely, PostgresDialect } from "kysely";
import { type Client, Pool, type PoolConfig } from "pg";
import type { PostgresConnection } from "../../src/persistence/embedded/embedded-postgres.ts";
import { migrateToLatest } from "../../src/persistence/database/migrate.ts";
import type { BigDatabase } from "../part.ts";
import { type Cluster, openCluster, PART_PREFIX } from "./cluster.ts";
import { loggedRunId, runId, type Shape, workspaceId } from "./ids.ts";
import { seed, type SeedSecrets } from "./seed.ts";

/** As the issue of performance asks for, and a smaller one that is made in seconds. */
export const SHAPES = {
  full: { runCount: 1_000_000, workspaceCount: 10_000, organizationCount: 10, logLineCount: 1_000_000 },
  quick: { runCount: 100_000, workspaceCount: 1000, organizationCount: 10, logLineCount: 1_000_000 },
  small: { runCount: 10_000, workspaceCount: 100, organizationCount: 1, logLineCount: 1000 },
  smoke: { runCount: 20_000, workspaceCount: 200, organizationCount: 10, logLineCount: 10_000 },
} as const satisfies Record<string, Shape>;
export type Size = keyof typeof SHAPES;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
/** The secrets of a database that is reached by a private socket alone. */
const SECRETS: SeedSecrets = {
  token: `hpt_${digest("token of the benchmark").toString("base64url")}`,
  masterKey: digest("key of the benchmark").toString("hex"),
};
const MAKING = ["alter system set fsync = off", "alter system set max_wal_size = '8GB'"];
const MEASURING = ["alter system reset fsync", "alter system reset max_wal_size"];
const EMPTY = "bench_empty_template";

export interface OpenedDatabase extends BigDatabase, AsyncDisposable {
  /** Drops what was created since the last call. */
  dropCreated(): Promise<void>;
  /** The version as Postgres reports it, such as 18.4. */
  readonly postgresVersion: string;
}

export async function openBigDatabase(options: {
  readonly size: Size;
  readonly folder: string;
  readonly print: (line: string) => void;
}): Promise<OpenedDatabase> {
  const shape: Shape = SHAPES[options.size];
  const template = `bench_${options.size}_template`;
  const cluster = await openCluster(options.folder);
  try {
    const migrations = await digestOf("../../migrations/", /\.(?:ts|sql)$/);
    const stamp = digest(
      migrations + (await digestOf("./", /^(?:ids|rows|seed)\.ts$/)) + JSON.stringify(shape),
    ).toString("hex");
    const database = `bench_${options.size}`;
    const postgresVersion = await cluster.whileMaking(async (client) => {
      const makes = { client, cluster, print: options.print };
      await ensure(makes, EMPTY, migrations, (connection) => migrate(connection));
      await ensure(makes, template, stamp, async (connection) => {
        await migrate(connection);
        await seed(connection, shape, SECRETS);
      });
      await ensureCopy(client, database, template, stamp);
      const { rows } = await client.query<{ server_version: string }>("show server_version");
      return rows[0]?.server_version.split(" ")[0] ?? "unknown";
    });
    return handle(cluster, shape, { database, template, postgresVersion });
  } catch (error) {
    await cluster[Symbol.asyncDispose]();
    throw error;
  }
}

interface Makes {
  readonly client: Client;
  readonly cluster: Cluster;
  readonly print: (line: string) => void;
}

/** Makes a template unless it is there already, made by the same migrations and the same seed. */
async function ensure(
  { client, cluster, print }: Makes,
  name: string,
  stamp: string,
  fill: (connection: PostgresConnection) => Promise<void>,
): Promise<void> {
  if ((await stampIn(client, name)) === stamp) return;
  const started = Date.now();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  // A database that is incomplete when the machine fails has no stamp, and is made again.
  await configure(client, MAKING);
  try {
    await fill({ ...cluster.connection, database: name });
  } finally {
    await configure(client, MEASURING);
  }
  await client.query("checkpoint");
  await client.query(`comment on database ${name} is '${stamp}'`);
  print(`made ${name} in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

async function configure(client: Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
  await client.query("select pg_reload_conf()");
}

async function ensureCopy(client: Client, name: string, template: string, stamp: string): Promise<void> {
  if ((await stampIn(client, name)) === stamp) return;
  await client.query(`drop database if exists ${name} with (force)`);
  await copy(client, name, template);
  await client.query(`comment on database ${name} is '${stamp}'`);
}

async function copy(client: Client, name: string, template: string): Promise<void> {
  await client.query(`create database ${name} template ${template} strategy file_copy`);
}

async function stampIn(client: Client, name: string): Promise<string | null> {
  const { rows } = await client.query<{ stamp: string | null }>(
    "select shobj_description(oid, 'pg_database') as stamp from pg_database where datname = $1",
    [name],
  );
  return rows[0]?.stamp ?? null;
}

async function migrate(connection: PoolConfig): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new Pool(connection) }) });
  try {
    await migrateToLatest(db);
  } finally {
    await db.destroy();
  }
}

/** Changes with the files of these names. */
async function digestOf(folder: string, pattern: RegExp): Promise<string> {
  const url = new URL(folder, import.meta.url);
  const hash = createHash("sha256");
  const names = (await readdir(url, { recursive: true })).filter((name) => pattern.test(name)).toSorted();
  for (const name of names) hash.update(await readFile(new URL(name, url)));
  return hash.digest("hex");
}

function handle(
  cluster: Cluster,
  shape: Shape,
  names: { database: string; template: string; postgresVersion: string },
): OpenedDatabase {
  const connection = { ...cluster.connection, database: names.database };
  const created: string[] = [];
  const dropCreated = (): Promise<void> =>
    cluster.whileMaking(async (client) => {
      for (const name of created.splice(0)) await client.query(`drop database if exists ${name} with (force)`);
    });
  return {
    connection,
    url: urlOf(connection),
    ...SECRETS,
    postgresVersion: names.postgresVersion,
    sample: {
      workspaceId,
      runId: (number) => runId(shape, number),
      workspaceCount: shape.workspaceCount,
      runCount: shape.runCount,
      loggedRunId: loggedRunId(shape),
    },
    cpuSeconds: () => cluster.cpuSeconds(),
    async create(from) {
      const database = `${PART_PREFIX}${randomBytes(6).toString("hex")}`;
      created.push(database);
      await cluster.whileMaking((client) => copy(client, database, from === "big" ? names.template : EMPTY));
      const own = { ...connection, database };
      return { connection: own, url: urlOf(own) };
    },
    dropCreated,
    async [Symbol.asyncDispose]() {
      await dropCreated();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

/** A socket's folder travels as the host, percent-encoded. */
function urlOf({ host, port, user, password, database }: PostgresConnection): string {
  return `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`;
}
