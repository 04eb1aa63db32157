/** Logs by month against logs in one table: removing a month, returning disk space, the cost for everything else. */
import { randomBytes } from "node:crypto";
import { dropLogMonths, makeLogMonths } from "../../src/domain/retention/log-months.ts";
import { retentionRound } from "../../src/domain/retention/retention-round.ts";
import { type Database, openDatabase } from "../../src/persistence/database/database.ts";
import { encodeLines, textBytes } from "../../src/persistence/log/log-codec.ts";
import { listLogLines } from "../../src/persistence/log/log-page-store.ts";
import { appendLog } from "../../src/persistence/log/log-store.ts";
import { runId, type Shape } from "../dataset/ids.ts";
import { figure, percentile } from "../measure/statistics.ts";
import { type Measured, type Place, short, table, type World } from "./world.ts";

const SHAPE: Shape = { runCount: 5000, workspaceCount: 100, organizationCount: 10, logLineCount: 500 };
const BATCHES = 50;
const LINES = 50;
const TEXT_BYTES = 60;
const FIRST = new Date("2025-01-01T00:00:00Z");
/** All runs of the first half year have to go. */
const UNTIL = new Date("2025-07-01T00:00:00Z");
const NOW = new Date("2026-11-01T00:00:00Z");
const CALLS = 300;
const ROUNDS = 3;
const DAY_MS = 24 * 60 * 60 * 1000;

export async function months(world: World): Promise<Measured> {
  const removed: (string | number)[][] = [];
  const used: (string | number)[][] = [];
  const found: Record<string, number> = {};
  for (const ahead of world.quick ? [0, 24] : [0, 24, 120]) {
    await using place = await world.database(`months_${ahead}`, SHAPE);
    await using database = openQuiet(place);
    if (ahead > 0) await makeLogMonths({ database, clock: () => FIRST }, ahead);
    await writeLogs(place);
    const parts = ahead === 0 ? 1 : ahead + 2;
    const { appendUs, readUs } = await use(world, database);
    used.push([parts, short(appendUs), short(readUs)]);
    found[`months.append${ahead}`] = appendUs;
    found[`months.read${ahead}`] = readUs;
    if (ahead === 0) removed.push(["rows, as retention does", ...(await remove(place, () => byRow(database)))]);
    if (ahead === 24) removed.push(["months, dropped", ...(await remove(place, () => byMonth(database)))]);
  }
  return {
    ...found,
    "months.runs": SHAPE.runCount,
    "months.removedRuns": rowsBefore(),
    "months.batches": BATCHES,
    "months.removed": table(["way", "seconds", "WAL MiB", "table MiB before", "after", "after VACUUM"], removed),
    "months.used": table(["parts", "append a batch", "read a page"], used),
    "months.cut": await cutWhileWriting(world),
  };
}

function rowsBefore(): number {
  return Math.round((SHAPE.runCount * (UNTIL.getTime() - FIRST.getTime())) / (640 * DAY_MS));
}

function openQuiet(place: Place): Database {
  const notifier = { send: () => {}, [Symbol.asyncDispose]: () => Promise.resolve() };
  return openDatabase(place.connection, { notifier, onError: () => {} });
}

/** Writes logs with one batch for all: Postgres stores bodies as they are. */
async function writeLogs(place: Place): Promise<void> {
  const lines = Array.from({ length: LINES }, () => ({
    at: NOW.toISOString(),
    text: randomBytes(TEXT_BYTES / 2).toString("hex"),
  }));
  await place.client.query(
    `insert into log_batch (run_id, last_line, first_line, phase, attempt, body, bytes, streams)
      select h.run_id, n * ${LINES}, n * ${LINES} - ${LINES - 1}, 'PLAN', 1, $1, $2, 1
      from log_head h, generate_series(1, ${BATCHES}) n where h.last_line = 0`,
    [encodeLines(lines), textBytes(lines)],
  );
  await place.client.query(`update log_head set last_line = ${BATCHES * LINES} where last_line = 0`);
  await place.client.query("vacuum analyze log_batch, log_head");
}

async function byRow(database: Database): Promise<void> {
  // Where there are parts it leaves rows for a while; here there are none.
  await retentionRound({ database, clock: () => NOW }, () => {});
}

async function byMonth(database: Database): Promise<void> {
  await dropLogMonths({ database, clock: () => NOW }, UNTIL.getTime());
}

async function remove(place: Place, work: () => Promise<void>): Promise<string[]> {
  await place.client.query("update organization set log_days = $1, archive_days = null, event_days = null", [
    (NOW.getTime() - UNTIL.getTime()) / DAY_MS,
  ]);
  const bytes = async (): Promise<number> =>
    (await place.number(`select sum(pg_total_relation_size(oid)) from pg_class
      where relname like 'log_batch%' and relkind = 'r'`)) /
    1024 /
    1024;
  const before = await bytes();
  const wal = await place.number("pg_current_wal_lsn() - '0/0'");
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const written = (await place.number("pg_current_wal_lsn() - '0/0'")) - wal;
  const after = await bytes();
  await place.client.query("vacuum log_batch");
  return [seconds, written / 1024 / 1024, before, after, await bytes()].map(short);
}

/** Appends and reads by the product's own functions, over all months. */
async function use(world: World, database: Database): Promise<{ appendUs: number; readUs: number }> {
  const appends: number[] = [];
  const reads: number[] = [];
  const time = (work: (call: number) => Promise<void>): Promise<number> => cpuOf(world, work);
  for (let round = 0; round < (world.quick ? 1 : ROUNDS); round += 1) {
    appends.push(
      await time((call) => append(database, call, BATCHES * LINES + 1 + round)),
      await time((call) => append(database, call + CALLS, BATCHES * LINES + 1 + round)),
    );
    reads.push(
      await time(async (call) => {
        const selection = { runId: idOf(call), phase: null };
        await listLogLines(database, selection, { after: 400, before: null, limit: 20, direction: "forward" });
      }),
    );
  }
  return { appendUs: figure(appends, "us").median, readUs: figure(reads, "us").median };
}

const idOf = (call: number): string => runId(SHAPE, 1 + ((call * 7919) % (SHAPE.runCount - 1)));

async function append(database: Database, call: number, firstLine: number): Promise<void> {
  const lines = [{ at: NOW.toISOString(), text: "one more line", stream: "STDOUT" as const }];
  await database.transaction(async (tx) => {
    await appendLog(tx, idOf(call), { phase: "PLAN", attempt: 1, firstLine, lines }, NOW.toISOString());
  });
}

/** Microseconds of CPU, of Postgres and of this process, for one call. */
async function cpuOf(world: World, work: (call: number) => Promise<void>): Promise<number> {
  const before = await world.postgresCpu();
  const own = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1) await work(call);
  const { user, system } = process.cpuUsage(own);
  return (((await world.postgresCpu()) - before) * 1e6 + user + system) / CALLS;
}

/** The first cut of a table with rows, while batches are appended: who waits, and how long. */
async function cutWhileWriting(world: World): Promise<string> {
  await using place = await world.database("months_cut", SHAPE);
  await using database = openQuiet(place);
  await writeLogs(place);
  const waits: number[] = [];
  const state = { cut: false };
  const writing = (async () => {
    for (let call = 0; !state.cut; call += 1) {
      const started = performance.now();
      await append(
        database,
        call % (SHAPE.runCount - 1),
        BATCHES * LINES + 1 + Math.floor(call / (SHAPE.runCount - 1)),
      );
      waits.push(performance.now() - started);
    }
  })();
  const started = performance.now();
  await makeLogMonths({ database, clock: () => NOW }, 3);
  const seconds = (performance.now() - started) / 1000;
  state.cut = true;
  await writing;
  waits.sort((a, b) => a - b);
  const rows = await place.number("select count(*) from log_batch");
  return (
    `Cutting a table of ${rows} rows took ${short(seconds)} s; of the ${waits.length} appends meanwhile the median ` +
    `took ${short(percentile(waits, 0.5))} ms, the longest ${short(waits.at(-1) ?? 0)} ms.`
  );
}
