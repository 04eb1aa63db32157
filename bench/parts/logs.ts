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
/** Jobs that write at the same time: as many as an organization has if nobody says otherwise. */
const WRITERS = 3;
/** Of a busy job the runner sends as many lines as a batch may have. */
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
    context.say("Writing");
    const written = await measureWriting(context);
    context.say("Reading");
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
  "The raw store is an insert of compressed batches from one process, each its own transaction with fsync: no HTTP, no " +
    "token, no order, no limits. The protocol has all of those, and a sender: the runner's own client, which makes text " +
    "of the lines with each post. That text is what is stored, so that the server looks at its bytes once, and neither " +
    "parses JSON nor makes strings of lines; only then is it compressed: compressed by the sender it would have to be " +
    "decompressed to be checked, which takes as long as compressing it. A job has up to eight posts under way, on " +
    "connections of their own: with one after the other a third of the two cores was idle, and each post came alone. What " +
    "a job sends while a statement is under way is stored as one batch, up to 128 KiB, by the next one, with what other " +
    "jobs send: the statement holds the jobs, compares and moves the heads of the logs and stores the lines, and is " +
    "committed once for all of them. A post that overtook another waits for it 50 ms at most; behind a balancer that " +
    "alternates between servers the sender goes back to one post at a time. In lines per second against the raw store of " +
    "the same rounds, on a machine that was not calm: one post under way 0.22 and 0.31 (100 and 500 lines a post), two 0.38 " +
    "and 0.42, four 0.5 to 0.7 and 0.65, eight 0.75 to 0.9 and 0.71; a post of 100 lines took the server 811 us with one " +
    "under way, 361 with four, 259 with eight, and Postgres 326, 120 and 77. The client is Node's http, because fetch takes " +
    "the sender three times as long. What is left: a request and its answer on both sides, and zstd, on two cores that " +
    "sender, server and Postgres share, where the raw store has two of the three. Of the server's processor time two " +
    "fifths were V8's other threads: what bodies and batches leave behind is outside of its heap, and each 64 MiB of it " +
    "made V8 mark and collect all, six times a second. By what npm start tells Node, that is bounded by what is in use, " +
    "and posts are put together in memory that stays: for 1,000 lines in posts of 500 the server takes 758 us, before " +
    "1,204, and 0.8 to 0.88 of the raw store's lines are stored a second, before 0.68; posts of 100 gain nothing. " +
    "Bare http is the same sender with as many posts under way, and a node:http server that compresses each and inserts " +
    "it: what any protocol of requests and answers pays here. " +
    "Without gain: two statements at a time (a seventh less), the size of the text told to zstd.",
  "The SQL reads the rows on a connection of its own, decompresses them, splits them into lines and makes JSON of them, in " +
    "the process that measures; the API gives the same six fields of each line, and does everything else of a request, " +
    "over HTTP, and 190 KB are sent and read. Of 3.2 ms, on a quiet machine: until the server has the request 0.25, the " +
    "token 0.45, body and plan 0.1, the run 0.35, the batches 0.3, decompressing and splitting 0.3, executing 0.4, JSON " +
    "0.4, bytes and socket 0.2, until the client has counted the lines 0.5. A statement takes Postgres less than 0.1 ms; the " +
    "rest of its time wakes processes that sleep. What was done: Postgres plans the statements once a connection (it " +
    "planned each of them anew: the run took 350 µs of its time, now 50, the batches 250, now 100); batches behind the page " +
    "are counted and not decompressed; cursors are made where they are asked for; lines and their edges, of which nothing " +
    "but properties is selected, are read and not executed (434 µs, now 309); where nothing else of the run is asked for, " +
    "its log is read beside the look for it (a seventh of the time of a request); the socket gets bytes instead of text. " +
    "Why it is not less: server and client take turns, and hardly wait for anything else. On a machine a fifth slower, of " +
    "3.3 ms the server's thread is busy for 2.4 (JSON and its bytes 0.55, decompressing and splitting 0.4, reading the " +
    "fields 0.3, writing to sockets 0.3, garbage 0.2, the rest HTTP, three statements and small things), the client for 0.9, " +
    "and 0.3 of that is Node's http: a client that reads the socket by itself comes to 2.2 of the SQL instead of 2.5. Measured, " +
    "and not worth what it takes: to begin a query as whoever the token was last, while it is looked up anew (5 %; most of " +
    "a look is work of the server itself, which does not become less); an answer in pieces of 250 lines without a length, " +
    "so that the client reads while the server encodes (6 to 7 %, pieces of 500 lines 4 %; both together 12 %, 2.3 of the SQL). To " +
    "collect garbage by what is in use takes a fifth less of the server's processor time, but of other threads than the one " +
    "that is waited for: the median is the same. " +
    "Without gain: larger pieces to decompress into; the batches of a page decompressed in one call, which stops after the " +
    "first; fewer checks and calls where fields are read (1 %); JSON by hand, line by line or field by field, because to join " +
    "the pieces takes as long as JSON.stringify needs for all; headers and text in one call without a copy; a client that " +
    "gathers bytes instead of text.",
];
