/** Lines of a live job that come next in the log of its run: by far the most of what runners send. */
import { sql } from "kysely";
import { LIMITS } from "../model/limits.ts";
import type { ExecutedPhase } from "../model/phase.ts";
import type { Statement } from "./database.ts";
import { encodeLines, streamBits, textBytes, type WrittenLine } from "./log-codec.ts";
import { prepared, type Slot } from "./prepared.ts";

export interface NextLines {
  jobId: string;
  runId: string;
  phase: ExecutedPhase;
  firstLine: number;
  /** Not empty; text without line breaks. */
  lines: WrittenLine[];
  /** When they came. */
  at: string;
}

interface Arguments {
  jobId: string;
  phase: string;
  firstLine: number;
  lastLine: number;
  at: string;
  bytes: number;
  streams: number;
  body: Buffer;
}

/**
 * The job's row is held as long as the statement runs, so that no line comes after the end of its lease, and before the
 * head of the log, as everywhere. The head is compared and moved; nothing is stored where it did not move.
 */
const append = prepared((db, slot: Slot<Arguments>) => {
  const key = sql`${slot("phase")}::text || ':' || newest.attempt`;
  const phaseBytes = sql`coalesce((log_head.phase_bytes ->> (${key}))::bigint, 0) + ${slot("bytes")}::bigint`;
  const statement = sql<{ run_id: string }>`
    with live as (
      select run_id from job where id = ${slot("jobId")} and ended_at is null for share
    ), newest as (
      select phase.run_id, max(phase.attempt) as attempt from live join phase on phase.run_id = live.run_id
      where phase.kind = ${slot("phase")}::text group by phase.run_id
    ), moved as (
      update log_head set last_line = ${slot("lastLine")}::int, appended_at = ${slot("at")}::timestamptz,
        bytes = log_head.bytes + ${slot("bytes")}::bigint,
        phase_bytes = log_head.phase_bytes || jsonb_build_object(${key}, ${phaseBytes})
      from newest
      where log_head.run_id = newest.run_id and log_head.last_line = ${slot("firstLine")}::int - 1
        and log_head.bytes + ${slot("bytes")}::bigint <= ${sql.lit(LIMITS.logRunBytes)}
        and ${phaseBytes} <= ${sql.lit(LIMITS.logPhaseBytes)}
      returning log_head.run_id, newest.attempt
    )
    insert into log_batch (run_id, last_line, first_line, phase, attempt, body, bytes, streams)
    select run_id, ${slot("lastLine")}::int, ${slot("firstLine")}::int, ${slot("phase")}::text, attempt,
      ${slot("body")}::bytea, ${slot("bytes")}::int, ${slot("streams")}::smallint from moved
    returning run_id`;
  return { compile: () => statement.compile(db) };
});

/**
 * Appends lines in one statement, which needs no transaction around it: where one question after the other takes six. False, and nothing is stored, where the job is over, its phase has not begun, other lines come next, the
 * same ones are there already, or there is no room: which of these it is, is for slower questions to tell.
 */
export async function appendNextLines(
  statement: Statement,
  { jobId, runId, phase, firstLine, lines, at }: NextLines,
): Promise<boolean> {
  const rows = await append(statement, {
    jobId,
    phase,
    firstLine,
    lastLine: firstLine + lines.length - 1,
    at,
    bytes: textBytes(lines),
    streams: streamBits(lines.map(({ stream }) => stream ?? "STDOUT")),
    body: encodeLines(lines),
  });
  if (rows.length === 0) return false;
  statement.announce(`log:${runId}`);
  return true;
}
