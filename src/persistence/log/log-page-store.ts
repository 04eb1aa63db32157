/** Reads lines of a run's log by batches: no other batch is read or decompressed. */
import { sql } from "kysely";
import { LIMITS } from "../../model/kit/limits.ts";
import { LOG_STREAMS, type LogLine, type LogStream } from "../../model/log/log.ts";
import { type Page, pageOf, type PageRequest } from "../../model/kit/page.ts";
import type { Reader } from "../database/database.ts";
import { type BatchRow, decodeLines, streamBits } from "./log-codec.ts";
import { ACCESS_VERSION } from "../people/access-store.ts";
import { prepared, type Slot, unseen } from "../database/prepared.ts";

export interface LogSelection {
  runId: string;
  phase: { kind: string; attempt: number } | null;
  /** null: all of them. */
  streams?: readonly LogStream[] | null;
}

/** Rows are fetched by this many while a page is filled, and for listeners. */
const BATCHES_PER_READ = 50;
const BATCHES_PER_LOOK = 8;
const ANY_STREAM = streamBits(LOG_STREAMS);
/** The rows of a window before its row. */
const EARLIER = sql.raw("between unbounded preceding and 1 preceding");
/** After every line: numbers are int4. */
const END = 2 ** 31 - 1;

interface BatchesAsk {
  runId: string;
  after: number;
  before: number;
  /** No batch with a line before `before` ends here or later: a batch has no more lines than a page. */
  beyond: number;
  /** null: all of them. */
  kind: string | null;
  attempt: number | null;
  /** Bits by LOG_STREAMS. */
  streams: number;
  /** Batches behind so many lines between `after` and `before` are left out. */
  enough: number;
}

/** Lines strictly between two numbers, beginning at either end. */
interface Window {
  direction: "forward" | "backward";
  after: number;
  before: number;
}

type Batch = BatchRow & { last_line: number };
type BatchForListener = Batch & { access_version: number };

function nextBatches(direction: "asc" | "desc") {
  return prepared((db, slot: Slot<BatchesAsk>) => {
    const [after, before] = [unseen(slot("after"), "int"), unseen(slot("before"), "int")];
    const [kind, attempt] = [unseen(slot("kind"), "text"), unseen(slot("attempt"), "int")];
    const next = db
      .selectFrom("log_batch")
      .selectAll()
      .where("run_id", "=", slot("runId"))
      .where("last_line", ">", after)
      .where("last_line", "<", unseen(slot("beyond"), "int"))
      .where("first_line", "<", before)
      .where(sql<boolean>`(${kind} is null or phase = ${kind} and attempt = ${attempt})`)
      .where(sql<boolean>`streams & ${unseen(slot("streams"), "int")} <> 0`)
      .orderBy("last_line", direction)
      .limit(sql.lit(BATCHES_PER_READ));
    const lines = sql`least(last_line, ${before} - 1) - greatest(first_line, ${after} + 1) + 1`;
    const order = direction === "asc" ? sql`last_line` : sql`last_line desc`;
    const earlier = sql<number>`sum(${lines}) over (order by ${order} rows ${EARLIER})`;
    return db
      .selectFrom(db.selectFrom(next.as("next")).selectAll().select(earlier.as("earlier")).as("counted"))
      .select(["first_line", "last_line", "phase", "attempt", "body"])
      .where(sql<boolean>`(earlier is null or earlier < ${slot("enough")}::bigint)`)
      .orderBy("last_line", direction);
  });
}

const NEXT_BATCHES = { asc: nextBatches("asc"), desc: nextBatches("desc") };

/** The batches of a window, each with a line in it, until there are `enough` lines. */
async function* readBatches(
  reader: Reader,
  { runId, phase, streams = null }: LogSelection,
  { direction, ...window }: Window,
  enough: number,
): AsyncGenerator<Batch, void, undefined> {
  const forward = direction === "forward";
  let { after, before } = window;
  while (after + 1 < before) {
    const rows: Batch[] = await NEXT_BATCHES[forward ? "asc" : "desc"](reader, {
      runId,
      after,
      before,
      beyond: Math.min(before + LIMITS.logPageSize, END),
      kind: phase?.kind ?? null,
      attempt: phase?.attempt ?? null,
      streams: streams === null ? ANY_STREAM : streamBits(streams),
      enough,
    });
    yield* rows;
    const farthest = rows.at(-1);
    if (farthest === undefined || rows.length < BATCHES_PER_READ) return;
    if (forward) after = farthest.last_line;
    else before = farthest.first_line;
  }
}

/** In order; positions are line numbers. */
export async function listLogLines(
  reader: Reader,
  selection: LogSelection,
  page: PageRequest<number>,
): Promise<Page<LogLine>> {
  const { direction, limit } = page;
  const { streams = null } = selection;
  const window = { direction, after: page.after ?? 0, before: page.before ?? END };
  // How many lines of a batch are of a stream is seen when it is read.
  const enough = streams === null ? limit + 1 : Number.MAX_SAFE_INTEGER;
  const found: LogLine[][] = [];
  let missing = limit;
  for await (const batch of readBatches(reader, selection, window, enough)) {
    const { lines, more } = takeLines(batch, window, streams, missing);
    found.push(lines);
    missing -= lines.length;
    if (more) return pageOf(page, inOrder(found, direction), true);
  }
  return pageOf(page, inOrder(found, direction), false);
}

/** Takes at most `most` of the wanted lines of a batch. Returns whether there are more. */
function takeLines(
  batch: Batch,
  { direction, after, before }: Window,
  streams: readonly LogStream[] | null,
  most: number,
): { lines: LogLine[]; more: boolean } {
  const forward = direction === "forward";
  const [from, to] = [Math.max(batch.first_line, after + 1), Math.min(batch.last_line, before - 1)];
  if (streams === null) {
    const more = to - from + 1 > most;
    return {
      lines: decodeLines(batch, more && !forward ? to + 1 - most : from, more && forward ? from + most - 1 : to),
      more,
    };
  }
  const lines = decodeLines(batch, from, to).filter(({ stream }) => streams.includes(stream));
  const more = lines.length > most;
  return { lines: forward ? lines.slice(0, most) : lines.slice(more ? lines.length - most : 0), more };
}

function inOrder(batches: readonly LogLine[][], direction: Window["direction"]): LogLine[] {
  return (direction === "forward" ? batches : batches.toReversed()).flat();
}

interface ListenersAsk {
  runId: string;
  after: number;
  maxBytes: number;
}

const batchesForListeners = prepared((db, slot: Slot<ListenersAsk>) => {
  const after = unseen(slot("after"), "int");
  const next = db
    .selectFrom("log_batch")
    .selectAll()
    .where("run_id", "=", slot("runId"))
    .where("last_line", ">", after)
    .orderBy("last_line")
    .limit(sql.lit(BATCHES_PER_LOOK));
  // What comes after enough text is not read. A batch that is wanted whole has at least this much of it: its body may be
  // longer than what was compressed, by a hundredth and a head, and that has an instant for each line.
  const text = sql`case when first_line > ${after}
    then greatest(0, octet_length(body) * 99 / 100 - 64 - 16 * (last_line - first_line + 1)) else 0 end`;
  const earlier = sql<number>`sum(${text}) over (order by last_line rows ${EARLIER})`;
  return db
    .selectFrom(db.selectFrom(next.as("next")).selectAll().select(earlier.as("earlier")).as("counted"))
    .select(["first_line", "last_line", "phase", "attempt", "body", ACCESS_VERSION[0]])
    .where(sql<boolean>`(earlier is null or earlier < ${slot("maxBytes")}::bigint)`)
    .orderBy("last_line");
});

/** Lines for a listener, with the version of rights at the instant of the read; `null` without lines. */
export interface LogLinesForListener {
  lines: LogLine[];
  accessVersion: number | null;
}

/** The next lines after a number: whole batches until `maxBytes` of text are reached, at least one where there is one. */
export async function readLogForListener(
  reader: Reader,
  runId: string,
  afterLine: number,
  maxBytes: number,
): Promise<LogLinesForListener> {
  const rows: BatchForListener[] = await batchesForListeners(reader, { runId, after: afterLine, maxBytes });
  const lines: LogLine[] = [];
  let textBytes = 0;
  for (const row of rows) {
    const batch = decodeLines(row, afterLine + 1);
    textBytes += batch.reduce((sum, line) => sum + Buffer.byteLength(line.text), 0);
    if (lines.length > 0 && textBytes > maxBytes) break;
    lines.push(...batch);
  }
  return { lines, accessVersion: rows[0]?.access_version ?? null };
}

/** The next lines after a number, as a listener gets them. */
export async function readLogAfter(
  reader: Reader,
  runId: string,
  afterLine: number,
  maxBytes: number,
): Promise<LogLine[]> {
  return (await readLogForListener(reader, runId, afterLine, maxBytes)).lines;
}
