/** A run's log: a row per batch, compressed, keyed on its last line, so that a line is one index seek away. */
import { sql } from "kysely";
import { LIMITS } from "../model/limits.ts";
import type { LogLine, LogStream } from "../model/log.ts";
import { type Page, type PageRequest, toPage } from "../model/page.ts";
import type { ExecutedPhase } from "../model/phase.ts";
import type { Reader, Transaction } from "./database.ts";
import { prepared, type Slot } from "./prepared.ts";
import { decodeLines, encodeLines, streamBits, textBytes, type WrittenLine } from "./log-codec.ts";

export interface LogBatch {
  phase: ExecutedPhase;
  attempt: number;
  firstLine: number;
  /** Not empty; text without line breaks. */
  lines: WrittenLine[];
}

/** `full`: the batch does not fit into what this phase, or the run, may write. */
export interface AppendAnswer {
  ok: boolean;
  nextLine: number;
  full?: "PHASE" | "RUN";
}

/** Rows are fetched by this many while a page is filled. */
const BATCHES_PER_READ = 50;
/** What batches of earlier releases hold. */
const STDOUT = streamBits(["STDOUT"]);

/** Number of the newest line; 0 before the first. */
export async function lastLogLine(reader: Reader, runId: string): Promise<number> {
  const row = await reader.sql
    .selectFrom("log_head")
    .select("last_line")
    .where("run_id", "=", runId)
    .executeTakeFirst();
  return row?.last_line ?? 0;
}

export interface LogSize {
  /** Number of the newest line. */
  lastLine: number;
  /** Of text, one more for each line. */
  bytes: number;
  /** Since when it is no longer kept; null: it is. */
  expiredAt: string | null;
}

export async function logSize(reader: Reader, runId: string): Promise<LogSize> {
  const row = await reader.sql
    .selectFrom("log_head")
    .select(["last_line", "bytes", "expired_at"])
    .where("run_id", "=", runId)
    .executeTakeFirst();
  return { lastLine: row?.last_line ?? 0, bytes: row?.bytes ?? 0, expiredAt: row?.expired_at ?? null };
}

/** When a line was last accepted; null: never. */
export async function lastOutputAt(reader: Reader, runId: string): Promise<string | null> {
  const row = await reader.sql
    .selectFrom("log_head")
    .select("appended_at")
    .where("run_id", "=", runId)
    .executeTakeFirst();
  return row?.appended_at ?? null;
}

export async function openLog(tx: Transaction, runId: string): Promise<void> {
  await tx.sql.insertInto("log_head").values({ run_id: runId, last_line: 0 }).execute();
}

/**
 * Appends a batch whose first line is the next one; the same batch again is recognised.
 * `ok` is false where the batch leaves a gap or overlaps, or there is no room; `nextLine` is the number that is expected.
 */
export async function appendLog(tx: Transaction, runId: string, batch: LogBatch, at: string): Promise<AppendAnswer> {
  const lastLine = batch.firstLine + batch.lines.length - 1;
  const bytes = textBytes(batch.lines);
  const phase = phaseKey(batch);
  const phaseBytes = sql<number>`coalesce((phase_bytes ->> ${phase})::bigint, 0) + ${bytes}::bigint`;
  const moved = await tx.sql
    .updateTable("log_head")
    .set({
      last_line: lastLine,
      appended_at: at,
      bytes: sql`bytes + ${bytes}::bigint`,
      phase_bytes: sql`phase_bytes || jsonb_build_object(${phase}::text, ${phaseBytes})`,
    })
    .where("run_id", "=", runId)
    .where("last_line", "=", batch.firstLine - 1)
    .where(sql<boolean>`bytes + ${bytes}::bigint <= ${LIMITS.logRunBytes}::bigint`)
    .where(sql<boolean>`${phaseBytes} <= ${LIMITS.logPhaseBytes}::bigint`)
    .executeTakeFirst();
  if (moved.numUpdatedRows === 0n) return notAppended(tx, runId, batch, bytes);
  await tx.sql
    .insertInto("log_batch")
    .values({
      run_id: runId,
      last_line: lastLine,
      first_line: batch.firstLine,
      phase: batch.phase,
      attempt: batch.attempt,
      body: encodeLines(batch.lines),
      bytes,
      streams: streamBits(batch.lines.map(({ stream }) => stream ?? "STDOUT")),
    })
    .execute();
  tx.announce(`log:${runId}`);
  return { ok: true, nextLine: lastLine + 1 };
}

function phaseKey({ phase, attempt }: Pick<LogBatch, "phase" | "attempt">): string {
  return `${phase}:${attempt}`;
}

async function notAppended(tx: Transaction, runId: string, batch: LogBatch, bytes: number): Promise<AppendAnswer> {
  const head = await tx.sql
    .selectFrom("log_head")
    .select(["last_line", "bytes"])
    .where("run_id", "=", runId)
    .executeTakeFirst();
  const nextLine = (head?.last_line ?? 0) + 1;
  if (head === undefined || nextLine !== batch.firstLine) return { ok: await isStored(tx, runId, batch), nextLine };
  return { ok: false, nextLine, full: head.bytes + bytes > LIMITS.logRunBytes ? "RUN" : "PHASE" };
}

async function isStored(reader: Reader, runId: string, batch: LogBatch): Promise<boolean> {
  const row = await reader.sql
    .selectFrom("log_batch")
    .selectAll()
    .where("run_id", "=", runId)
    .where("last_line", "=", batch.firstLine + batch.lines.length - 1)
    .executeTakeFirst();
  if (row === undefined || row.first_line !== batch.firstLine) return false;
  return decodeLines(row).every((line, index) => line.text === batch.lines[index]?.text);
}

export interface LogSelection {
  runId: string;
  phase: { kind: string; attempt: number } | null;
  /** null: all of them. */
  streams?: readonly LogStream[] | null;
}

/** The rows of a window before its row. */
const EARLIER = sql.raw("between unbounded preceding and 1 preceding");
/** After every line: numbers are int4. */
const END = 2 ** 31 - 1;

interface BatchesAsk {
  runId: string;
  after: number;
  before: number;
  /** null: all of them. */
  kind: string | null;
  attempt: number | null;
  /** Bits by LOG_STREAMS; null: all of them. */
  streams: number | null;
  enough: number;
}

function nextBatches(direction: "asc" | "desc") {
  return prepared((db, slot: Slot<BatchesAsk>) => {
    const next = db
      .selectFrom("log_batch")
      .selectAll()
      .where("run_id", "=", slot("runId"))
      .where("last_line", ">", slot("after"))
      .where("first_line", "<", slot("before"))
      .where(
        sql<boolean>`(${slot("kind")}::text is null or phase = ${slot("kind")} and attempt = ${slot("attempt")}::int)`,
      )
      .where(
        sql<boolean>`(${slot("streams")}::int is null or coalesce(streams, ${sql.lit(STDOUT)}) & ${slot("streams")}::int <> 0)`,
      )
      .orderBy("last_line", direction)
      .limit(sql.lit(BATCHES_PER_READ));
    const order = direction === "asc" ? sql`last_line` : sql`last_line desc`;
    const lines = sql<number>`sum(last_line - first_line + 1) over (order by ${order} rows ${EARLIER})`;
    return db
      .selectFrom(db.selectFrom(next.as("next")).selectAll().select(lines.as("earlier")).as("counted"))
      .select(["first_line", "phase", "attempt", "body"])
      .where(sql<boolean>`(earlier is null or earlier < ${slot("enough")}::bigint)`)
      .orderBy("last_line", direction);
  });
}

const NEXT_BATCHES = { asc: nextBatches("asc"), desc: nextBatches("desc") };

/** The next batches, until they have `enough` lines: what nobody asked for is neither read nor decompressed. */
async function readBatches(
  reader: Reader,
  { runId, phase, streams = null }: LogSelection,
  { after, before }: { after: number | null; before: number | null },
  direction: "asc" | "desc",
  enough: number,
): Promise<LogLine[][]> {
  const rows = await NEXT_BATCHES[direction](reader, {
    runId,
    after: after ?? 0,
    before: before ?? END,
    kind: phase?.kind ?? null,
    attempt: phase?.attempt ?? null,
    streams: streams === null ? null : streamBits(streams),
    enough,
  });
  return rows.map(decodeLines);
}

/** In order; positions are line numbers. */
export async function listLogLines(
  reader: Reader,
  selection: LogSelection,
  page: PageRequest<number>,
): Promise<Page<LogLine>> {
  const forward = page.direction === "forward";
  const lines: LogLine[] = [];
  let { after, before } = page;
  const { streams = null } = selection;
  const isWanted = ({ number, stream }: LogLine): boolean =>
    (page.after === null || number > page.after) &&
    (page.before === null || number < page.before) &&
    (streams === null || streams.includes(stream));
  while (lines.length <= page.limit) {
    // How many lines of a batch are of a stream is seen when it is read.
    const enough = streams === null ? page.limit + 1 - lines.length : Number.MAX_SAFE_INTEGER;
    const batches = await readBatches(reader, selection, { after, before }, forward ? "asc" : "desc", enough);
    for (const batch of batches) {
      const wanted = batch.filter(isWanted);
      lines.push(...(forward ? wanted : wanted.reverse()));
    }
    if (batches.length < BATCHES_PER_READ && batches.flat().length < enough) break;
    const farthest = batches.at(-1);
    if (forward) after = farthest?.at(-1)?.number ?? after;
    else before = farthest?.[0]?.number ?? before;
  }
  return toPage(page, lines.slice(0, page.limit + 1));
}

/** The next lines after a number: whole batches until `maxBytes` of text are reached, at least one where there is one. */
export async function readLogAfter(
  reader: Reader,
  runId: string,
  afterLine: number,
  maxBytes: number,
): Promise<LogLine[]> {
  const next = reader.sql
    .selectFrom("log_batch")
    .selectAll()
    .where("run_id", "=", runId)
    .where("last_line", ">", afterLine)
    .orderBy("last_line")
    .limit(8);
  // What comes after enough text is not read. A batch that is wanted whole has at least this much of it: its body may be
  // longer than what was compressed, by a hundredth and a head, and that has an instant for each line.
  const text = sql`case when first_line > ${afterLine}
    then greatest(0, octet_length(body) * 99 / 100 - 64 - 16 * (last_line - first_line + 1)) else 0 end`;
  const bytes = sql<number>`sum(${text}) over (order by last_line rows ${EARLIER})`;
  const rows = await reader.sql
    .selectFrom(reader.sql.selectFrom(next.as("next")).selectAll().select(bytes.as("earlier")).as("counted"))
    .selectAll()
    .where((eb) => eb.or([eb("earlier", "is", null), eb("earlier", "<", maxBytes)]))
    .orderBy("last_line")
    .execute();
  const lines: LogLine[] = [];
  let textBytes = 0;
  for (const row of rows) {
    const batch = decodeLines(row).filter((line) => line.number > afterLine);
    textBytes += batch.reduce((sum, line) => sum + Buffer.byteLength(line.text), 0);
    if (lines.length > 0 && textBytes > maxBytes) break;
    lines.push(...batch);
  }
  return lines;
}
