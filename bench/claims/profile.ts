/**
 * `node bench/claims/profile.ts`: where the CPU time of a cycle (claim, finish, enqueue) goes. It has a Postgres of its own,
 * and prints the time of both sides and the WAL; `--statements` adds each statement with the functions and checks that it
 * causes. `--http`: by requests to a server, which also packs the source of each run; else in this process.
 */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool, type PoolConfig } from "pg";
import { runnerToken } from "../../src/domain/token/credentials.ts";
import { ownIdentity } from "../../src/os/process-identity.ts";
import { migrateToLatest } from "../../src/persistence/database/migrate.ts";
import { type PostgresConnection, startEmbeddedPostgres } from "../../src/persistence/embedded/embedded-postgres.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { openDataFolder } from "../../src/server/data-folder.ts";
import { processTreeCpuSeconds } from "../measure/cpu.ts";
import { openDeps } from "../product/deps.ts";
import { startProductOn } from "../product/server.ts";
import { work } from "./product.ts";
import { workByRequests } from "./requests.ts";
import { seedQueue } from "./seed.ts";

const QUIET = { info: () => {}, warn: () => {} };
const RUNNERS = 8;
const SHOWN_CHARACTERS = 110;
/** Statements that cost less than this for a cycle are summed up. */
const SHOWN_US = 2;
const MASTER_KEY = randomBytes(32).toString("hex");

const { values } = parseArgs({
  options: {
    cycles: { type: "string", default: "1500" },
    "warm-up": { type: "string", default: "400" },
    queued: { type: "string", default: "1000" },
    http: { type: "boolean", default: false },
    statements: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

interface Cost {
  readonly nodeMs: number;
  readonly postgresMs: number;
  readonly walKib: number;
}

interface StatementCost {
  readonly query: string;
  readonly toplevel: boolean;
  /** Each for one cycle. */
  readonly calls: number;
  readonly plans: number;
  readonly us: number;
  readonly walBytes: number;
}

const STATEMENTS = `
  select regexp_replace(query, '\\s+', ' ', 'g') as query, toplevel, calls / $1::float8 as calls, plans / $1::float8 as plans,
    (total_exec_time + total_plan_time) * 1000 / $1::float8 as us, wal_bytes::float8 / $1::float8 as "walBytes"
  from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
  order by total_exec_time + total_plan_time desc`;

/** Does so many cycles. */
type Drive = (cycles: number) => Promise<unknown>;

/** A driver of cycles, with the seconds of CPU that it has used so far. */
interface Worker {
  readonly drive: Drive;
  readonly cpuSeconds: () => number;
}

async function measure(cycles: number, client: Client, pid: number, { drive, cpuSeconds }: Worker): Promise<Cost> {
  const wal = async (): Promise<number> => {
    const { rows } = await client.query<{ at: string }>("select pg_current_wal_insert_lsn() - '0/0' as at");
    return Number(rows[0]?.at);
  };
  const walBefore = await wal();
  const postgres = processTreeCpuSeconds(pid);
  const node = cpuSeconds();
  await drive(cycles);
  return {
    nodeMs: ((cpuSeconds() - node) * 1000) / cycles,
    postgresMs: ((processTreeCpuSeconds(pid) - postgres) * 1000) / cycles,
    walKib: ((await wal()) - walBefore) / 1024 / cycles,
  };
}

function workHere(stack: AsyncDisposableStack, connection: PoolConfig): Worker {
  const { deps } = stack.use(openDeps(connection, MASTER_KEY, RUNNERS + 2));
  return {
    drive: (cycles) => work(deps, RUNNERS, { cycles }),
    cpuSeconds() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000_000;
    },
  };
}

/** Over a server, whose workspaces get a source that it can pack. */
async function workOverHttp(
  stack: AsyncDisposableStack,
  { connection, client, folder }: { connection: PostgresConnection; client: Client; folder: string },
): Promise<Worker> {
  const source = join(folder, "source");
  await mkdir(source);
  await writeFile(join(source, "main.tf"), 'resource "terraform_data" "a" {}\n');
  await client.query("update workspace set source = $1", [JSON.stringify({ type: "directory", path: source })]);
  const { host, user, password, database } = connection;
  const url = `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}`;
  const adminToken = `hpt_${randomBytes(32).toString("base64url")}`;
  const server = stack.use(
    await startProductOn({ url, masterKey: MASTER_KEY, adminToken }, folder, { HOLDPOINT_SOURCE_ROOTS: source }),
  );
  const given = {
    url: server.url,
    adminToken,
    runnerToken: runnerToken(createCipher(Buffer.from(MASTER_KEY, "hex"))),
    runners: RUNNERS,
  };
  return { drive: (cycles) => workByRequests(given, cycles), cpuSeconds: () => server.cpuSeconds() };
}

async function migrate(connection: PoolConfig): Promise<void> {
  await using db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new Pool(connection) }) });
  await migrateToLatest(db);
}

async function connect(connection: PoolConfig): Promise<Client> {
  const client = new Client(connection);
  await client.connect();
  return client;
}

/** Makes the library for statements known to a Postgres that is then started again. */
async function preload(start: () => ReturnType<typeof startEmbeddedPostgres>): Promise<void> {
  await using postgres = await start();
  const client = await connect(postgres.connection);
  await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'");
  await client.query("alter system set \"pg_stat_statements.track\" = 'none'");
  await client.end();
}

async function listStatements(client: Client, cycles: number, drive: Drive): Promise<StatementCost[]> {
  await client.query("create extension if not exists pg_stat_statements");
  await client.query("alter system set \"pg_stat_statements.track\" = 'all'");
  await client.query('alter system set "pg_stat_statements.track_planning" = on');
  await client.query("select pg_reload_conf()");
  await client.query("select pg_sleep(0.2)");
  await client.query("select pg_stat_statements_reset()");
  await drive(cycles);
  const { rows } = await client.query<StatementCost>(STATEMENTS, [cycles]);
  return rows;
}

function print(statements: readonly StatementCost[]): void {
  for (const toplevel of [true, false]) {
    const some = statements.filter((one) => one.toplevel === toplevel);
    const us = some.reduce((sum, one) => sum + one.us, 0);
    const calls = some.reduce((sum, one) => sum + one.calls, 0);
    console.log(`\n${toplevel ? "sent" : "inside of those"}: ${calls.toFixed(1)} a cycle, ${us.toFixed(0)} us`);
    for (const { query, calls: each, plans, us: took, walBytes } of some.filter((one) => one.us >= SHOWN_US)) {
      const figures = [took.toFixed(0), each.toFixed(2), plans.toFixed(2), walBytes.toFixed(0)];
      console.log(`${figures.map((figure) => figure.padStart(6)).join(" ")}  ${query.slice(0, SHOWN_CHARACTERS)}`);
    }
  }
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "holdpoint-cycle-"));
  try {
    const uid = process.getuid?.();
    await using stack = new AsyncDisposableStack();
    stack.use(await openDataFolder({ dir: dataDir, uid, identity: ownIdentity(), randomBytes }));
    const start = () => startEmbeddedPostgres({ dataDir, log: QUIET, uid });
    if (values.statements) await preload(start);
    const postgres = stack.use(await start());
    await migrate(postgres.connection);
    const client = await connect(postgres.connection);
    stack.defer(() => client.end());
    await seedQueue(postgres.connection, createCipher(Buffer.from(MASTER_KEY, "hex")), Number(values.queued));
    const { connection, pid } = postgres;
    const worker = values.http
      ? await workOverHttp(stack, { connection, client, folder: dataDir })
      : workHere(stack, connection);
    await worker.drive(Number(values["warm-up"]));
    // As in a database that is in use: plans that were made for empty tables are made again.
    await client.query("vacuum analyze");
    const cycles = Number(values.cycles);
    const cost = await measure(cycles, client, pid, worker);
    if (values.json) console.log(JSON.stringify(cost));
    else {
      const { nodeMs, postgresMs, walKib } = cost;
      const both = nodeMs + postgresMs;
      console.log(
        `a cycle: ${both.toFixed(2)} ms of CPU (Node ${nodeMs.toFixed(2)}, Postgres ${postgresMs.toFixed(2)}), ${walKib.toFixed(1)} KiB of WAL`,
      );
    }
    if (values.statements) print(await listStatements(client, cycles, worker.drive));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
