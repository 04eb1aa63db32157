/** A streaming replica of the same Postgres: its delay, the product's reads on it, and operations that fail there. */
import { EVERYTHING } from "../../src/model/people/permission.ts";
import { execFile } from "node:child_process";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { openDatabase } from "../../src/persistence/database/database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/persistence/embedded/embedded-postgres.ts";
import { readFeed } from "../../src/persistence/feed/feed-store.ts";
import { listLogLines } from "../../src/persistence/log/log-page-store.ts";
import { listPhases } from "../../src/persistence/plan/phase-store.ts";
import { listRunEvents } from "../../src/persistence/run/run-event-store.ts";
import { listRuns } from "../../src/persistence/run/run-list-store.ts";
import { findRun } from "../../src/persistence/run/run-store.ts";
import { findWorkspace } from "../../src/persistence/workspace/workspace-store.ts";
import { createRun, createWorkspace } from "../../test/support/run-steps.ts";
import { organizationId, runId, type Shape, workspaceId } from "../dataset/ids.ts";
import { percentile } from "../measure/statistics.ts";
import { type Measured, type Place, short, table, type World } from "./world.ts";

const SHAPE: Shape = { runCount: 100_000, workspaceCount: 1000, organizationCount: 10, logLineCount: 10_000 };
const CREATES = 150;
const WRITERS = 8;
const LOAD_MS = 5000;

export async function replica(world: World): Promise<Measured> {
  await using place = await world.database("replica", { ...SHAPE, ...(world.quick && { runCount: 10_000 }) });
  await using standby = await startStandby(world, place);
  const connection = { ...standby.connection, database: "replica" };
  const notifier = { send: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  await using reader = openDatabase(connection, { notifier, onError: () => {} });
  const eye = new Client(connection);
  eye.on("error", () => undefined);
  await eye.connect();
  const behind = async (): Promise<number> => {
    const lsn = await place.number("pg_current_wal_lsn() - '0/0'");
    const started = performance.now();
    for (;;) {
      const { rows } = await eye.query<{ value: string }>("select pg_last_wal_replay_lsn() - '0/0' as value");
      if (Number(rows[0]?.value) >= lsn) return performance.now() - started;
    }
  };
  const rows = [
    ["idle", ...(await lags(behind, 2000))],
    [`${WRITERS} writers`, ...(await Promise.all([lags(behind, LOAD_MS), load(place)]))[0]],
  ];
  const own = await ownWrites(world, place, async (id) => (await findRun(reader, id)) !== null);
  const page = { ...FIRST_PAGE };
  const reads: Record<string, () => Promise<unknown>> = {
    findRun: () => findRun(reader, runId(SHAPE, 5)),
    findWorkspace: () => findWorkspace(reader, workspaceId(5)),
    listRuns: () => listRuns(reader, EVERYTHING, { workspaceId: workspaceId(5) }, page),
    listPhases: () => listPhases(reader, [runId(SHAPE, 5)]),
    listRunEvents: () => listRunEvents(reader, runId(SHAPE, 5), page),
    listLogLines: () => listLogLines(reader, { runId: runId(SHAPE, 0), phase: null }, page),
    readFeed: () => readFeed(reader, { organizationId: organizationId(0), workspaceId: null }, 0, 10),
  };
  const answers: [string, string][] = [];
  for (const [name, read] of Object.entries(reads)) {
    answers.push([
      name,
      await read().then(
        () => "answers",
        (error: Error) => error.message,
      ),
    ]);
  }
  const start = await world
    .server({ ...place, url: urlOf(connection) })
    .then(() => "it starts")
    .catch((error: Error) => /[^\n]*read-only[^\n]*/.exec(error.message)?.[0] ?? error.message);
  await eye.end();
  return {
    "replica.lags": table(["load", "milliseconds behind, median", "p99", "longest"], rows),
    "replica.missing": own.missing,
    "replica.created": own.of,
    "replica.reads": table(["read on the replica", "what comes"], [...answers, ["the start of a server", start]]),
  };
}

const FIRST_PAGE = { after: null, before: null, limit: 20, direction: "forward" } as const;

interface Standby extends AsyncDisposable {
  readonly connection: EmbeddedPostgres["connection"];
}

/** A copy of the running server's folder that streams what comes after it. */
async function startStandby(world: World, { client, connection }: Place): Promise<Standby> {
  const primary = join(world.folder, "db");
  const dataDir = join(world.folder, "standby");
  await mkdir(dataDir);
  await chmod(dataDir, 0o711);
  await client.query("select pg_create_physical_replication_slot('standby', true)");
  await client.query("select pg_backup_start('standby', true)");
  const left = new Set(["postmaster.pid", "postmaster.opts", "pg_wal"]);
  // With the owners of the original; Node's copy would not keep them.
  await run("cp", ["-a", join(primary, "postgres"), dataDir]);
  await run("cp", ["-a", join(primary, "postgres-password"), dataDir]);
  const folder = join(dataDir, "postgres");
  for (const name of left) await rm(join(folder, name), { recursive: true, force: true });
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
  const { host, port, user, password } = connection;
  const files = {
    backup_label: rows[0]?.labelfile ?? "",
    "standby.signal": "",
    "postgresql.auto.conf":
      `primary_conninfo = 'host=${host} port=${port} user=${user} password=${password}'\n` +
      "primary_slot_name = 'standby'\n",
  };
  await run("mkdir", ["-p", join(folder, "pg_wal", "archive_status")]);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await run("chown", ["-R", "--reference", folder, folder]);
  const log = { info: () => {}, warn: () => {} };
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log,
    uid: process.getuid?.(),
    // No fewer than the primary has.
    maxConnections: 1000,
  });
  return {
    connection: postgres.connection,
    async [Symbol.asyncDispose]() {
      await postgres.stop();
      await client.query("select pg_drop_replication_slot('standby')").catch(() => undefined);
    },
  };
}

const run = promisify(execFile);

async function lags(behind: () => Promise<number>, ms: number): Promise<string[]> {
  const found: number[] = [];
  for (const started = performance.now(); performance.now() - started < ms; await sleep(10)) found.push(await behind());
  found.sort((a, b) => a - b);
  return [percentile(found, 0.5), percentile(found, 0.99), found.at(-1) ?? 0].map(short);
}

/** Batches of logs as they come from runners: WAL as fast as the machine makes it. */
async function load({ connection }: Place): Promise<void> {
  const until = performance.now() + LOAD_MS;
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      const client = new Client(connection);
      await client.connect();
      for (let line = 1; performance.now() < until; line += 1) {
        await client.query(
          `insert into log_batch (run_id, last_line, first_line, phase, attempt, body, bytes, streams)
            select id, $2::int, $2::int, 'PLAN', 1, decode(repeat(md5($2::int::text), 60), 'hex'), 960, 1 from run where id = $1`,
          [runId(SHAPE, 10 + writer), line],
        );
      }
      await client.end();
    }),
  );
}

async function ownWrites(
  world: World,
  place: Place,
  isThere: (id: string) => Promise<boolean>,
): Promise<{ missing: number; of: number }> {
  await using server = await world.server(place);
  const path = join(world.folder, "source");
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "main.tf"), "");
  const { api } = server.process;
  const workspace = await createWorkspace(api, "own-writes", path);
  let missing = 0;
  for (let number = 0; number < CREATES; number += 1) {
    if (!(await isThere(await createRun(api, workspace, { kind: "PLAN" })))) missing += 1;
  }
  return { missing, of: CREATES };
}

function urlOf({ host, port, user, password, database }: EmbeddedPostgres["connection"]): string {
  return `postgres://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`;
}
