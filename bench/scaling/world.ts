/** Shared parts of the measurements of growth: a Postgres whose CPU is theirs alone, and servers on it. */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { runnerToken } from "../../src/domain/token/credentials.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import type { PostgresConnection } from "../../src/persistence/embedded/embedded-postgres.ts";
import { migrateToLatest } from "../../src/persistence/database/migrate.ts";
import { type ServerProcess, startServerProcess } from "../../test/support/server-process.ts";
import { type Cluster, openCluster } from "../dataset/cluster.ts";
import type { Shape } from "../dataset/ids.ts";
import { seed } from "../dataset/seed.ts";
import { processTreeCpuSeconds, residentBytes } from "../measure/cpu.ts";

const MASTER_KEY = "5c".repeat(32);
export const TOKEN = `hpt_${"s".repeat(43)}`;
export const RUNNER_TOKEN = runnerToken(createCipher(Buffer.from(MASTER_KEY, "hex")));
/** While rows are made, which a crash may cost. */
const MAKING = ["alter system set fsync = off", "alter system set max_wal_size = '8GB'", "select pg_reload_conf()"];
const MEASURING = ["alter system reset fsync", "alter system reset max_wal_size", "select pg_reload_conf()"];

/** The results of a measurement, by their names in `scaling.md.template`: tables of Markdown, and figures. */
export type Measured = Readonly<Record<string, string | number>>;

export interface World extends AsyncDisposable {
  /** Smaller and shorter: to see that it works, not what comes out. */
  readonly quick: boolean;
  readonly folder: string;
  print(line: string): void;
  /** Seconds of CPU of Postgres so far. */
  postgresCpu(): Promise<number>;
  /** Migrated, and seeded where a shape is given; dropped with the world, or before. */
  database(name: string, shape?: Shape): Promise<Place>;
  /** A server of the product on a database. */
  server(place: Place, env?: Record<string, string>): Promise<Server>;
}

/** A database. */
export interface Place extends AsyncDisposable {
  readonly connection: PostgresConnection;
  readonly url: string;
  readonly client: Client;
  number(query: string): Promise<number>;
}

export interface Server extends AsyncDisposable {
  readonly process: ServerProcess;
  cpu(): number;
  memory(): number;
  /** The number of statements that it has sent to Postgres so far. */
  statements(): Promise<number>;
}

export async function openWorld(quick: boolean, print: (line: string) => void): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-scaling-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "db");
  await mkdir(dataDir);
  const cluster = stack.use(await openCluster(dataDir));
  const owned = stack.move();
  return {
    quick,
    folder,
    print,
    postgresCpu: () => cluster.cpuSeconds(),
    database: (name, shape) => createDatabase(cluster, name, shape, print),
    server: (place, env = {}) => startServer(folder, place, env),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function createDatabase(
  cluster: Cluster,
  name: string,
  shape: Shape | undefined,
  print: (line: string) => void,
): Promise<Place> {
  const connection = { ...cluster.connection, database: name };
  await cluster.whileMaking(async (admin) => {
    await admin.query(`create database ${name}`);
    if (shape !== undefined) for (const statement of MAKING) await admin.query(statement);
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new Pool(connection) }) });
    await migrateToLatest(db);
    await db.destroy();
    if (shape === undefined) return;
    const started = Date.now();
    await seed(connection, shape, { token: `${TOKEN}-seeded`, masterKey: MASTER_KEY });
    for (const statement of MEASURING) await admin.query(statement);
    await admin.query("checkpoint");
    print(`seeded ${shape.runCount} runs in ${Math.round((Date.now() - started) / 1000)} s`);
  });
  const client = new Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  const { host, port, user, password } = connection;
  return {
    connection,
    url: `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${name}`,
    client,
    async number(query) {
      const { rows } = await client.query<{ value: string }>({ text: `select (${query}) as value` });
      return Number(rows[0]?.value);
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await cluster.whileMaking((admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}

async function startServer(folder: string, place: Place, env: Record<string, string>): Promise<Server> {
  const file = join(await mkdtemp(join(folder, "server-")), "statements");
  const server = await startServerProcess({
    env: {
      DATABASE_URL: place.url,
      HOLDPOINT_MASTER_KEY: MASTER_KEY,
      HOLDPOINT_ADMIN_TOKEN: TOKEN,
      HOLDPOINT_RUNNER_SLOTS: "0",
      HOLDPOINT_SOURCE_ROOTS: folder,
      NODE_OPTIONS: `--import=${new URL("./count-statements.ts", import.meta.url).href}`,
      SCALING_STATEMENTS: file,
      ...env,
    },
  });
  return {
    process: server,
    cpu: () => processTreeCpuSeconds(server.pid),
    memory: () => residentBytes(server.pid),
    async statements() {
      await rm(file, { force: true });
      process.kill(server.pid, "SIGUSR2");
      for (;;) {
        const text = await readFile(file, "utf8").catch(() => null);
        if (text !== null) return Number(text);
        await sleep(5);
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** CPU in seconds of servers and of Postgres, and statements, over some work. */
export interface Cost {
  seconds: number;
  server: number;
  postgres: number;
  statements: number;
}

export async function costOf(world: World, servers: readonly Server[], work: () => Promise<void>): Promise<Cost> {
  const before = await readings(world, servers);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const after = await readings(world, servers);
  return {
    seconds,
    server: after.server - before.server,
    postgres: after.postgres - before.postgres,
    statements: after.statements - before.statements,
  };
}

async function readings(world: World, servers: readonly Server[]): Promise<Omit<Cost, "seconds">> {
  const statements = await Promise.all(servers.map((server) => server.statements()));
  return {
    server: servers.reduce((sum, server) => sum + server.cpu(), 0),
    postgres: await world.postgresCpu(),
    statements: statements.reduce((sum, count) => sum + count, 0),
  };
}

/** A table of Markdown. */
export function table(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Three digits that count. */
export function short(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return String(value);
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return Number(value.toFixed(Math.min(digits, 6))).toLocaleString("en");
}
