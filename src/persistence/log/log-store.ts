/** A run's log: a row per batch, compressed, keyed on its last line, so that a line is one index seek away. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { LineRange } from "../../model/log/log.ts";
import type { WrittenLine } from "../../model/log/log-text.ts";
import type { ExecutedPhase } from "../../model/run/phase.ts";
import type { Reader, Transaction } from "../database/database.ts";
import { inOrder } from "../database/group.ts";
import { isAnyOf, prepared, type Slot } from "../database/prepared.ts";
import { decodeLines, encodeLines, streamBits, textBytes } from "./log-codec.ts";

export interface LogBatch {
  phase: ExecutedPhase;
  attempt: number;
  firstLine: number;
  /** Not empty; text without line breaks. */
  lines: WrittenLine[];
}

/** The key of a phase in `phase_bytes` and `phase_lines`. */
function phaseKey(phase: string, attempt: number): string {
  return `${phase}:${attempt}`;
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
  /** Bytes of text, and one more for each line. */
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

/** The numbers of the lines of a log. They stay when the log is no longer kept. */
export interface LogExtent {
  lineCount: number;
  /** The first and the last line of an attempt of a phase; `null` if it wrote none. */
  rangeOf: (phase: string, attempt: number) => LineRange | null;
}

const extents = prepared((db, slot: Slot<{ runIds: readonly string[] }>) =>
  db
    .selectFrom("log_head")
    .select(["run_id", "last_line", "phase_lines"])
    .where("run_id", "=", isAnyOf(slot("runIds"))),
);

/** The extent of the log of each run. */
export async function findLogExtents(reader: Reader, runIds: readonly string[]): Promise<LogExtent[]> {
  const rows = inOrder(runIds, await extents(reader, { runIds }), (row) => row.run_id);
  return rows.map((row) => ({
    lineCount: row?.last_line ?? 0,
    rangeOf: (phase, attempt) => row?.phase_lines[phaseKey(phase, attempt)] ?? null,
  }));
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

/**
 * Appends a batch whose first line is the next one; lines that are there already are recognised.
 * `ok` is false where the batch leaves a gap or overlaps, or there is no room; `nextLine` is the number that is expected.
 */
export async function appendLog(tx: Transaction, runId: string, batch: LogBatch, at: string): Promise<AppendAnswer> {
  const { phase, attempt, firstLine, lines } = batch;
  const behind = firstLine + lines.length;
  // Before it is compared: another server may be storing the lines before these at this moment.
  const head = await tx.sql
    .selectFrom("log_head")
    .select(["last_line", "bytes", "phase_bytes", "phase_lines"])
    .where("run_id", "=", runId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const nextLine = (head?.last_line ?? 0) + 1;
  if (head === undefined || nextLine !== firstLine) {
    const ok = await isStored(tx, runId, batch);
    return { ok, nextLine: ok ? behind : nextLine };
  }
  const bytes = textBytes(lines);
  const key = phaseKey(phase, attempt);
  const phaseBytes = (head.phase_bytes[key] ?? 0) + bytes;
  if (head.bytes + bytes > LIMITS.logRunBytes) return { ok: false, nextLine, full: "RUN" };
  if (phaseBytes > LIMITS.logPhaseBytes) return { ok: false, nextLine, full: "PHASE" };
  await tx.sql
    .updateTable("log_head")
    .set({
      last_line: behind - 1,
      appended_at: at,
      bytes: head.bytes + bytes,
      phase_bytes: JSON.stringify({ ...head.phase_bytes, [key]: phaseBytes }),
      phase_lines: JSON.stringify({
        ...head.phase_lines,
        [key]: [head.phase_lines[key]?.[0] ?? firstLine, behind - 1],
      }),
    })
    .where("run_id", "=", runId)
    .execute();
  await tx.sql
    .insertInto("log_batch")
    .values({
      run_id: runId,
      last_line: behind - 1,
      first_line: firstLine,
      phase,
      attempt,
      body: encodeLines(lines),
      bytes,
      streams: streamBits(lines.map(({ stream }) => stream ?? "STDOUT")),
    })
    .execute();
  tx.announce(`log:${runId}`);
  return { ok: true, nextLine: behind };
}

/** Returns whether these lines are stored, in any batches. */
async function isStored(reader: Reader, runId: string, { firstLine, lines }: LogBatch): Promise<boolean> {
  const lastLine = firstLine + lines.length - 1;
  const rows = await reader.sql
    .selectFrom("log_batch")
    .select(["first_line", "phase", "attempt", "body"])
    .where("run_id", "=", runId)
    .where("last_line", ">=", firstLine)
    .where("first_line", "<=", lastLine)
    // Implied by the condition above, in a form that the index can use: a batch has no more lines than a page.
    .where("last_line", "<", lastLine + LIMITS.logPageSize)
    .orderBy("last_line")
    .execute();
  const stored = rows.flatMap((row) => decodeLines(row, firstLine, lastLine));
  return stored.length === lines.length && stored.every(({ text }, index) => text === lines[index]?.text);
}
