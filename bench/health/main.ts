/**
 * `node bench/health/main.ts`: what it costs a server to probe 10,000 targets every 30 s. It has a Postgres of its own, takes five
 * minutes, and prints its figures. With `--https` the targets speak TLS, on connections that are new each time; with `--servers 3` one of three
 * servers is killed instead, and the pauses of its targets are measured. On a busy machine run it by `chrt -r 20`.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { PUBLIC_PROBES } from "../../src/model/health/prober-desk.ts";
import { placeOfTarget } from "../../src/model/health/target-hash.ts";
import { NEW_TARGET } from "../../src/model/health/target-state.ts";
import { NO_EXPECTATION } from "../../src/model/probe/probe.ts";
import type { HttpProbeRequest } from "../../src/model/probe/probe-request.ts";
import { ownIdentity } from "../../src/os/process-identity.ts";
import { migrateToLatest } from "../../src/persistence/database/migrate.ts";
import { startEmbeddedPostgres } from "../../src/persistence/embedded/embedded-postgres.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { openDataFolder } from "../../src/server/data-folder.ts";
import { processTreeCpuSeconds } from "../measure/cpu.ts";
import { startProductOn } from "../product/server.ts";
import { measureHandover } from "./handover.ts";

const { values } = parseArgs({
  options: {
    targets: { type: "string", default: "10000" },
    seconds: { type: "string", default: "120" },
    "warm-up": { type: "string", default: "60" },
    red: { type: "string", default: "200" },
    https: { type: "boolean", default: false },
    servers: { type: "string", default: "1" },
  },
});
const TARGETS = Number(values.targets);
const RED = Number(values.red);
const SCHEME = values.https ? "https" : "http";
const pem = (name: string): string => fileURLToPath(new URL(`../../test/fixtures/tls/${name}.pem`, import.meta.url));
const INTERVAL_MS = 30_000;
const MASTER_KEY = "ab".repeat(32);
const QUIET = { info: () => undefined, warn: console.warn, error: console.error };
/** Targets of one transaction. */
const STEP = 500;

const workspaceIdOf = (index: number): string => `ws_${index.toString().padStart(26, "0")}`;
const print = (name: string, text: string): void => void process.stdout.write(`${name.padEnd(44)}${text}\n`);

interface Service extends AsyncDisposable {
  readonly port: number;
  /** The instants at which each target was asked. */
  readonly asked: number[][];
  /** Targets below this number answer with 503. */
  redBelow: number;
}

async function startService(): Promise<Service> {
  const asked: number[][] = Array.from({ length: TARGETS }, () => []);
  const service = { asked, redBelow: 0 };
  const answer: RequestListener = (request, response) => {
    const index = Number(request.url?.slice(1));
    asked[index]?.push(Date.now());
    response.writeHead(index < service.redBelow ? 503 : 200).end();
  };
  const server = values.https
    ? createSecureServer({ key: await readFile(pem("key")), cert: await readFile(pem("certificate")) }, answer)
    : createServer(answer);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The service has no port.");
  const { port } = address;
  return Object.assign(service, {
    port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  });
}

function requestOf(url: string): HttpProbeRequest {
  const about = { method: "GET", headers: [], body: null, followRedirects: false, expect: NO_EXPECTATION } as const;
  return { kind: "HTTP", urls: [url], timeoutMs: 5000, ...about };
}

/** Workspaces with one target each, as if an apply had made them. Requests are sealed as `target-store.ts` does it. */
async function seed(client: Client, port: number): Promise<void> {
  const cipher = createCipher(Buffer.from(MASTER_KEY, "hex"));
  await client.query("set synchronous_commit to off");
  for (let from = 0; from < TARGETS; from += STEP) {
    const indexes = Array.from({ length: Math.min(STEP, TARGETS - from) }, (_none, index) => from + index);
    const ids = indexes.map(workspaceIdOf);
    const addresses = indexes.map((index) => `${SCHEME}://127.0.0.1:${port}/${index}`);
    const shards = ids.map((workspaceId) => placeOfTarget({ workspaceId, probe: "web", number: 0 }).shard);
    const requests = ids.map((id, at) =>
      cipher.seal(Buffer.from(JSON.stringify(requestOf(addresses[at] ?? ""))), `workspace/${id}/target/web/0`),
    );
    await client.query(
      `insert into workspace (id, organization_id, name, source, plan_approval, auto_apply, created_at)
       select id, 'org_00000000000000000000000000', id, '{"type": "directory", "path": "/"}', 'ALWAYS', 'NEVER', now()
       from unnest($1::text[]) id`,
      [ids],
    );
    await client.query(
      `insert into probe (workspace_id, name, position, kind, use, settings, secrets_sealed)
       select id, 'web', 0, 'HTTP', 'HEALTH', '{}', '\\x00' from unnest($1::text[]) id`,
      [ids],
    );
    await client.query(
      `insert into probe_target (workspace_id, probe, number, weight, pool, shard, address, request_sealed, interval_ms,
         state, status, created_at)
       select id, 'web', 0, 'REQUIRED', $5, shard, address, request, $6, $7, 'UNKNOWN', now()
       from unnest($1::text[], $2::smallint[], $3::text[], $4::bytea[]) as t (id, shard, address, request)`,
      [ids, shards, addresses, requests, PUBLIC_PROBES, INTERVAL_MS, JSON.stringify(NEW_TARGET)],
    );
  }
  await client.query(
    "insert into probe_shard (pool, shard, left_at) select distinct pool, shard, now() from probe_target",
  );
  await client.query("update workspace_health set stale = false");
}

interface Counters {
  atMs: number;
  /** Rows written to each table. */
  tables: ReadonlyMap<string, number>;
  serverCpu: number;
  postgresCpu: number;
  samples: number;
  walBytes: number;
  fullPages: number;
}

async function rowsByTable(client: Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; rows: string }>(
    "select relname as name, n_tup_ins + n_tup_upd + n_tup_del as rows from pg_stat_user_tables",
  );
  return new Map(rows.map(({ name, rows: written }) => [name, Number(written)]));
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-health-"));
  try {
    await using stack = new AsyncDisposableStack();
    const uid = process.getuid?.();
    stack.use(await openDataFolder({ dir: folder, uid, identity: ownIdentity(), randomBytes }));
    const postgres = stack.use(await startEmbeddedPostgres({ dataDir: folder, log: QUIET, uid }));
    const { connection } = postgres;
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new Pool(connection) }) });
    await migrateToLatest(db);
    await db.destroy();
    const service = stack.use(await startService());
    const client = new Client(connection);
    client.on("error", () => undefined);
    await client.connect();
    stack.defer(() => client.end());
    await seed(client, service.port);
    await client.query("vacuum analyze");
    const { host, port, user, password, database } = connection;
    const url = `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`;
    const start = async (name: string) =>
      stack.use(
        await startProductOn({ url, masterKey: MASTER_KEY, adminToken: "t".repeat(32) }, join(folder, name), {
          HOLDPOINT_PROBE_ALLOW: "127.0.0.1",
          // The targets are their own authority.
          NODE_EXTRA_CA_CERTS: pem("certificate"),
        }),
      );
    const server = await start("server");
    print("memory of the server at its start", `${(server.residentBytes() / 2 ** 20).toFixed(0)} MiB`);
    print("the machine", `${cpus().length} x ${cpus()[0]?.model ?? "?"}, Node ${process.version}`);
    const others = Array.from({ length: Number(values.servers) - 1 }, (_none, index) => start(`server-${index}`));
    const servers = [server, ...(await Promise.all(others))];
    await pause(Number(values["warm-up"]) * 1000);
    if (servers.length > 1) {
      const { asked } = service;
      const lines = await measureHandover({ client, servers, asked, intervalMs: INTERVAL_MS });
      for (const [name, text] of lines) print(name, text);
      return;
    }
    await client.query("checkpoint");
    const read = async (): Promise<Counters> => {
      const { rows } = await client.query<{ wal: string; pages: string }>(
        `select (select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')) as wal,
           (select wal_fpi from pg_stat_wal) as pages`,
      );
      const [row] = rows;
      return {
        atMs: Date.now(),
        tables: await rowsByTable(client),
        serverCpu: server.cpuSeconds(),
        postgresCpu: processTreeCpuSeconds(postgres.pid),
        samples: service.asked.reduce((sum, list) => sum + list.length, 0),
        walBytes: Number(row?.wal),
        fullPages: Number(row?.pages),
      };
    };
    const before = await read();
    let peak = 0;
    while (Date.now() - before.atMs < Number(values.seconds) * 1000) {
      await pause(1000);
      peak = Math.max(peak, server.residentBytes());
    }
    const after = await read();
    report(before, after, peak);
    reportJitter(service, before.atMs, after.atMs);
    await reportOutage(client, service);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function report(before: Counters, after: Counters, peak: number): void {
  const seconds = (after.atMs - before.atMs) / 1000;
  const samples = after.samples - before.samples;
  const share = (from: number, to: number): string => `${(((to - from) / seconds) * 100).toFixed(1)} % of a core`;
  print("samples", `${samples} in ${seconds.toFixed(0)} s, ${(samples / seconds).toFixed(1)} a second`);
  print("CPU of the server", share(before.serverCpu, after.serverCpu));
  print("CPU of Postgres", share(before.postgresCpu, after.postgresCpu));
  print("memory of the server", `${(peak / 2 ** 20).toFixed(0)} MiB at most`);
  const tables = [...after.tables].map(([name, rows]) => ({ name, rows: rows - (before.tables.get(name) ?? 0) }));
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  print("rows written", `${(rows / seconds).toFixed(1)} a second`);
  for (const table of tables.filter((one) => one.rows > 0).toSorted((a, b) => b.rows - a.rows)) {
    print(`  of ${table.name}`, `${(table.rows / seconds).toFixed(1)} a second`);
  }
  const bytes = (after.walBytes - before.walBytes) / samples;
  print("WAL", `${bytes.toFixed(1)} bytes a sample, with ${after.fullPages - before.fullPages} full pages in all`);
}

/** How far requests were from the instant that the phase of their target gives. */
function reportJitter({ asked }: Service, fromMs: number, toMs: number): void {
  const off: number[] = [];
  for (const [index, times] of asked.entries()) {
    const { phase } = placeOfTarget({ workspaceId: workspaceIdOf(index), probe: "web", number: 0 });
    for (const at of times) {
      if (at < fromMs || at > toMs) continue;
      const distance = (((at - Math.floor(phase * INTERVAL_MS)) % INTERVAL_MS) + INTERVAL_MS) % INTERVAL_MS;
      off.push(Math.min(distance, INTERVAL_MS - distance));
    }
  }
  off.sort((a, b) => a - b);
  const quantile = (share: number): string => `${off[Math.floor((off.length - 1) * share)] ?? Number.NaN} ms`;
  print("distance from the due time", `p50 ${quantile(0.5)}, p99 ${quantile(0.99)}, max ${quantile(1)}`);
}

async function reportOutage(client: Client, service: Service): Promise<void> {
  const beganMs = Date.now();
  service.redBelow = RED;
  const found = new Map<string, number>();
  while (found.size < RED && Date.now() - beganMs < 180_000) {
    await pause(250);
    const { rows } = await client.query<{ id: string }>(
      "select workspace_id as id from workspace_health where health = 'UNREACHABLE' and workspace_id < $1",
      [workspaceIdOf(RED)],
    );
    for (const { id } of rows) if (!found.has(id)) found.set(id, (Date.now() - beganMs) / 1000);
  }
  const times = [...found.values()].toSorted((a, b) => a - b);
  const middle = times[Math.floor(times.length / 2)] ?? Number.NaN;
  print(
    `an outage of ${RED} targets until UNREACHABLE`,
    `${times.length} found, median ${middle.toFixed(1)} s, last ${(times.at(-1) ?? Number.NaN).toFixed(1)} s`,
  );
}

await main();
