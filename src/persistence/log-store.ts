/** A run's log: a row per batch, compressed, keyed on its last line, so that a line is one index seek away. */
import { sql } from "kysely";
import { LIMITS } from "../model/limits.ts";
import type { WrittenLine } from "../model/log-text.ts";
import type { ExecutedPhase } from "../model/phase.ts";
import type { Reader, Transaction } from "./database.ts";
import { decodeLines, encodeLines, streamBits, textBytes } from "./log-codec.ts";

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
