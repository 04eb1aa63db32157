/** Whole stretches of a log, by bytes: a batch at a time, so that neither the server nor a transaction holds more. */
import { sql } from "kysely";
import { LIMITS } from "../../model/kit/limits.ts";
import type { LogLine } from "../../model/log/log.ts";
import type { Reader } from "../database/database.ts";
import { decodeLines } from "./log-codec.ts";

/** Lines of a log; both ends are part of it. */
export interface LogWindow {
  runId: string;
  /** null: all of them. `attempt` null: every attempt. */
  phase: { kind: string; attempt: number | null } | null;
  from: number;
  to: number;
}

/** The size of the batches that have lines of a window; the first and the last one may have lines outside of it too. */
export interface WindowSize {
  lines: number;
  bytes: number;
}

/** A batch, and how much text of others comes before it in its window. */
export interface BatchPlace {
  lastLine: number;
  bytesBefore: number;
}

const BATCHES_PER_READ = 8;
const BATCHES_MEASURED = 200;

const LINES = sql<number>`last_line - first_line + 1`;

function batchesOf(reader: Reader, { runId, phase, from, to }: LogWindow) {
  return (
    reader.sql
      .selectFrom("log_batch")
      .where("run_id", "=", runId)
      .where("last_line", ">=", from)
      .where("first_line", "<=", to)
      // Implied by the condition above, in a form that the index can use: a batch has no more lines than a page.
      .where("last_line", "<", to + LIMITS.logPageSize)
      .$if(phase !== null, (q) => q.where("phase", "=", phase?.kind ?? ""))
      .$if((phase?.attempt ?? null) !== null, (q) => q.where("attempt", "=", phase?.attempt ?? 0))
  );
}

/** How large the batches of a window are. */
export async function measureWindow(reader: Reader, window: LogWindow): Promise<WindowSize> {
  return batchesOf(reader, window)
    .select([
      sql<number>`coalesce(sum(bytes), 0)::bigint`.as("bytes"),
      sql<number>`coalesce(sum(${LINES}), 0)::bigint`.as("lines"),
    ])
    .executeTakeFirstOrThrow();
}

/** The batch in which a byte of the window's batches lies, where each line has `extra` bytes more; null behind the end. */
export async function findBatchAt(
  reader: Reader,
  window: LogWindow,
  byte: number,
  extra: number,
): Promise<BatchPlace | null> {
  const size = sql<number>`bytes + ${extra}::bigint * (${LINES})`;
  const sized = batchesOf(reader, window).select([
    "last_line",
    size.as("size"),
    sql<number>`sum(${size}) over (order by last_line)`.as("through"),
  ]);
  const row = await reader.sql
    .selectFrom(sized.as("sized"))
    .select(["last_line", sql<number>`(through - size)::bigint`.as("before")])
    .where("through", ">", byte)
    .orderBy("last_line")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : { lastLine: row.last_line, bytesBefore: row.before };
}

/** The number of the line with which the last `count` lines of a window begin. */
export async function findTail(reader: Reader, window: LogWindow, count: number): Promise<number> {
  let missing = count;
  let before = window.to;
  let first = window.to + 1;
  while (missing > 0 && before >= window.from) {
    const rows = await batchesOf(reader, { ...window, to: before })
      .select(["first_line", "last_line"])
      .orderBy("last_line", "desc")
      .limit(BATCHES_MEASURED)
      .execute();
    if (rows.length === 0) break;
    for (const row of rows) {
      const last = Math.min(row.last_line, window.to);
      first = Math.max(row.first_line, window.from, last - missing + 1);
      missing -= last - first + 1;
      before = row.first_line - 1;
      if (missing <= 0) break;
    }
  }
  return first;
}

/** The lines of the window's first or last batch, those outside of the window with them; empty where there is none. */
export async function readEdge(reader: Reader, window: LogWindow, edge: "FIRST" | "LAST"): Promise<LogLine[]> {
  const row = await batchesOf(reader, window)
    .select(["first_line", "phase", "attempt", "body"])
    .orderBy("last_line", edge === "FIRST" ? "asc" : "desc")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? [] : decodeLines(row);
}

/** The lines of a window, in order, from the batch that ends with `lastLine` or a later one: a batch at a time. */
export async function* readBatches(
  reader: Reader,
  window: LogWindow,
  lastLine: number,
): AsyncGenerator<LogLine[], void, undefined> {
  let from = Math.max(lastLine, window.from);
  for (;;) {
    const rows = await batchesOf(reader, { ...window, from })
      .select(["last_line", "first_line", "phase", "attempt", "body"])
      .orderBy("last_line")
      .limit(BATCHES_PER_READ)
      .execute();
    for (const row of rows) {
      from = row.last_line + 1;
      yield decodeLines(row);
    }
    if (rows.length < BATCHES_PER_READ) return;
  }
}
