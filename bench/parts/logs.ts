import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import { Client } from "pg";
import { startBareLog, writersTo } from "../logs/bare-http.ts";
import { makePosts } from "../logs/lines.ts";
import { createJobsOf, type Writers } from "../logs/protocol.ts";
import { openRawStore } from "../logs/raw-store.ts";
import { createApiReader, LINES, openSqlReader, type Read, READS, type Reader } from "../logs/read.ts";
import type { ServerProcess } from "../measure/process.ts";
import { inRounds, type Subject } from "../measure/rounds.ts";
import { figure, percentile, ratio } from "../measure/statistics.ts";
import type { BenchContext, Figure, Part, Table, Target } from "../part.ts";
import { startProductOn } from "../product/server.ts";

const SEED = 4;
/** Jobs that write at the same time: as many as an organization has by default. */
const WRITERS = 3;
/** Lines a post. A runner sends as many of a busy job as a batch may have. */
const LINES_A_POST = [100, 500] as const;
const PROTOCOL = "by the runner protocol";
const BARE = "bare http in front of the raw store";
const RAW = "raw store";
const API = "API";
const SQL = "SQL";

interface Written {
  readonly perSecond: number;
  /** Microseconds for a thousand lines; null: the server is its own sender. */
  readonly senderUs: number | null;
  readonly serverUs: number;
  readonly postgresUs: number;
}

export const logs: Part = {
  name: "logs",
  title: "Logs",
  async run(context) {
    context.print("Writing");
    const written = await measureWriting(context);
    context.print("Reading");
    const read = await measureReading(context);
    return {
      tables: [writingTable(written), readingTable(read)],
      plots: [
        {
          file: "logs",
          title: `Log lines by ${WRITERS} jobs at once`,
          unit: "lines/s",
          bars: [...written.samples].map(([label, samples]) => {
            return {
              label,
              figure: figure(
                samples.map(({ perSecond }) => perSecond),
                "",
              ),
              ours: label.startsWith(PROTOCOL),
            };
          }),
        },
      ],
      targets: [...writingTargets(written.samples), ...readingTargets(read)],
      notes: NOTES,
    };
  },
};

interface WritingResult {
  readonly samples: Map<string, Written[]>;
  /** Megabytes of a million lines, with indexes. */
  readonly megabytes: number;
}

const nameOf = (way: string, lines: number): string => `${way}, ${lines} lines a post`;

async function measureWriting({ database, folder, quick, signal }: BenchContext): Promise<WritingResult> {
  await using stack = new AsyncDisposableStack();
  const { url, connection } = await database.create("empty");
  const place = join(folder, "writing");
  await mkdir(place);
  const env = { HOLDPOINT_SOURCE_ROOTS: place };
  const server = stack.use(
    await startProductOn({ url, masterKey: database.masterKey, adminToken: database.token }, place, env),
  );
  const jobs = await createJobsOf(server.url, { admin: database.token, masterKey: database.masterKey }, place);
  const raw = stack.use(await openRawStore({ ...connection, max: WRITERS }));
  const bare = stack.use(await startBareLog(connection));
  // A job's log may have 72 MiB in a phase, which three of them would reach at 1.5 million lines a second.
  const ms = quick ? 700 : 1500;
  const ownCpu = (): number => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
  /** Without a server it is this process that stores. */
  const measure = async (writers: Writers, server?: ServerProcess): Promise<Written> => {
    const [own, serverCpu, postgresCpu] = [ownCpu(), server?.cpuSeconds() ?? 0, await database.cpuSeconds()];
    const started = performance.now();
    const lines = await writers(ms);
    const seconds = (performance.now() - started) / 1000;
    const each = 1e6 / (lines / 1000);
    const ownUs = (ownCpu() - own) * each;
    return {
      perSecond: lines / seconds,
      senderUs: server === undefined ? null : ownUs,
      serverUs: server === undefined ? ownUs : (server.cpuSeconds() - serverCpu) * each,
      postgresUs: ((await database.cpuSeconds()) - postgresCpu) * each,
    };
  };
  const subjects: Subject<Written>[] = LINES_A_POST.flatMap((lines) => {
    const posts = makePosts(100, lines);
    return [
      {
        name: nameOf(PROTOCOL, lines),
        measure: async () => measure(await jobs.open(WRITERS, posts), server),
      },
      { name: nameOf(BARE, lines), measure: () => measure(writersTo(bare.url, WRITERS, posts), bare) },
      { name: nameOf(RAW, lines), measure: () => measure(raw.open(WRITERS, posts)) },
    ];
  });
  for (const subject of subjects) await subject.measure();
  const samples = await inRounds(subjects, { rounds: quick ? 3 : 7, seed: SEED, signal });
  return { samples, megabytes: await megabytesOf(connection) };
}

async function megabytesOf(connection: ConstructorParameters<typeof Client>[0]): Promise<number> {
  const client = new Client(connection);
  await client.connect();
  const { rows } = await client.query<{ mb: number }>(
    `select pg_total_relation_size('log_batch') / 1e6 / (sum(last_line - first_line + 1) / 1e6)::float8 as mb from log_batch`,
  );
  await client.end();
  return rows[0]?.mb ?? Number.NaN;
}

function writingTable({ samples, megabytes }: WritingResult): Table {
  return {
    title: `${WRITERS} jobs that write as fast as they can (a million lines take ${megabytes.toFixed(0)} MB)`,
    columns: ["", "lines per second", "CPU of the server for 1,000 lines", "of Postgres", "of the sender"],
    rows: [...samples].map(([name, all]) => [
      name,
      figure(
        all.map(({ perSecond }) => perSecond),
        "",
      ),
      figure(
        all.map(({ serverUs }) => serverUs),
        "µs",
      ),
      figure(
        all.map(({ postgresUs }) => postgresUs),
        "µs",
      ),
      senderFigure(all),
    ]),
  };
}

function senderFigure(all: readonly Written[]): Figure | string {
  const times = all.flatMap(({ senderUs }) => (senderUs === null ? [] : [senderUs]));
  return times.length === 0 ? "" : figure(times, "µs");
}

function writingTargets(samples: WritingResult["samples"]): Target[] {
  const rates = (name: string): number[] => (samples.get(name) ?? []).map(({ perSecond }) => perSecond);
  return LINES_A_POST.map((lines) => ({
    what: `log ingestion through the runner protocol, lines/s against the raw store, ${lines} lines a post`,
    bound: { atLeast: 0.7 },
    ratio: ratio(rates(nameOf(PROTOCOL, lines)), rates(nameOf(RAW, lines))),
  }));
}

/** Milliseconds of a read at the median, by way and kind, one a round. */
type ReadResult = ReadonlyMap<string, readonly number[]>;

async function measureReading({ database, folder, quick, signal }: BenchContext): Promise<ReadResult> {
  await using stack = new AsyncDisposableStack();
  const { url, masterKey, token, sample } = database;
  const place = join(folder, "reading");
  await mkdir(place);
  // The token of the data is not the server's own.
  const adminToken = `hpt_${"r".repeat(43)}`;
  const server = stack.use(await startProductOn({ url, masterKey, adminToken }, place));
  const { reader, places } = await createApiReader(server.url, token, sample.loggedRunId);
  const readers: Record<string, Reader> = {
    [API]: reader,
    [SQL]: stack.use(await openSqlReader(database.connection, sample.loggedRunId, places)),
  };
  const subjects = Object.entries(readers).flatMap(([way, reader]) =>
    READS.map((read) => ({ name: `${read}, ${way}`, measure: () => medianOf(reader, read, quick ? 40 : 150) })),
  );
  for (const { measure } of subjects) await measure();
  // Not before the server and the connection are let go.
  return await inRounds(subjects, { rounds: quick ? 3 : 7, seed: SEED, signal });
}

async function medianOf(reader: Reader, read: Read, times: number): Promise<number> {
  const found: number[] = [];
  for (let number = 0; number < times; number += 1) {
    const started = performance.now();
    const lines = await reader(read, number);
    found.push(performance.now() - started);
    if (lines !== LINES) throw new Error(`A ${read} has ${lines} lines.`);
  }
  return percentile(
    found.toSorted((a, b) => a - b),
    0.5,
  );
}

function readingTable(read: ReadResult): Table {
  return {
    title: `${LINES} lines of a log of a million, one reader`,
    columns: ["", "median"],
    rows: [...read].map(([name, times]) => [name, figure(times, "ms")]),
  };
}

function readingTargets(read: ReadResult): Target[] {
  return READS.map((kind) => ({
    what: `${kind} of a 1M-line log through the API against the SQL and its decoding`,
    bound: { atMost: 2 },
    ratio: ratio(read.get(`${kind}, ${API}`) ?? [], read.get(`${kind}, ${SQL}`) ?? []),
  }));
}

const NOTES = [
  "The raw store inserts compressed batches from one process, each in its own transaction with fsync: no HTTP, token, order or limits. The protocol has all of these, and a sender, the runner's own client, with up to eight posts under way. Bare HTTP is the same sender and a node:http server that compresses each post and inserts it.",
  "The SQL reads the rows on a connection of its own, decompresses them, splits them into lines and makes JSON of them, in the measuring process. The API gives the same fields over HTTP, with everything else that a request does.",
];
