/** Lines of live jobs that come next in the logs of their runs: by far the most of what runners send. */
import { sql } from "kysely";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ExecutedPhase } from "../../model/run/phase.ts";
import type { Statement } from "../database/database.ts";
import { prepared, type Slot } from "../database/prepared.ts";

/** A batch of lines of one job. */
export interface NextLines {
  jobId: string;
  phase: ExecutedPhase;
  firstLine: number;
  lastLine: number;
  /** Bytes of text, and one more for each line. */
  bytes: number;
  /** One bit for each stream among them. */
  streams: number;
  /** As log-codec.ts makes it. */
  body: Buffer;
}

interface Arguments {
  jobIds: readonly string[];
  phases: readonly string[];
  firstLines: readonly number[];
  lastLines: readonly number[];
  bytes: readonly number[];
  streams: readonly number[];
  /** One after the other: an array of bytes would travel as text, twice as long. */
  bodies: Buffer;
  /** Where each of them begins, from 1, and how long it is. */
  starts: readonly number[];
  sizes: readonly number[];
  at: string;
}

/**
 * A job's row is held as long as the statement runs, so that no line comes after the end of its lease, and before the
 * head of the log, as everywhere. A locked row is left out, also if the lock is shared: its holder may be
 * writing this log, and the lines of other jobs would wait for that. The heads are compared and moved; nothing
 * is stored where one did not move. `place`: of the batch, from 1.
 */
const append = prepared((_db, slot: Slot<Arguments>) => {
  const phaseBytes = sql`coalesce((log_head.phase_bytes ->> next.key)::bigint, 0) + next.bytes`;
  return sql<{ place: number; run_id: string }>`
    with given as (
      select * from unnest(${slot("jobIds")}::text[], ${slot("phases")}::text[], ${slot("firstLines")}::int[],
        ${slot("lastLines")}::int[], ${slot("bytes")}::int[], ${slot("streams")}::smallint[],
        ${slot("starts")}::int[], ${slot("sizes")}::int[]
      ) with ordinality as given (job_id, phase, first_line, last_line, bytes, streams, start, size, place)
    ), live as (
      select id, run_id from job where id = any(${slot("jobIds")}::text[]) and ended_at is null
      for no key update skip locked
    ), next as (
      select given.*, live.run_id, newest.attempt, given.phase || ':' || newest.attempt as key
      from live join given on given.job_id = live.id cross join lateral (
        select max(attempt) as attempt from phase where phase.run_id = live.run_id and phase.kind = given.phase
      ) newest where newest.attempt is not null
    ), moved as (
      update log_head set last_line = next.last_line, appended_at = ${slot("at")}::timestamptz,
        bytes = log_head.bytes + next.bytes,
        phase_bytes = log_head.phase_bytes || jsonb_build_object(next.key, ${phaseBytes}),
        phase_lines = log_head.phase_lines || jsonb_build_object(next.key,
          jsonb_build_array(coalesce((log_head.phase_lines -> next.key ->> 0)::int, next.first_line), next.last_line))
      from next
      where log_head.run_id = next.run_id and log_head.last_line = next.first_line - 1
        and log_head.bytes + next.bytes <= ${sql.lit(LIMITS.logRunBytes)}
        and ${phaseBytes} <= ${sql.lit(LIMITS.logPhaseBytes)}
      returning next.*
    ), stored as (
      insert into log_batch (run_id, last_line, first_line, phase, attempt, body, bytes, streams)
      select run_id, last_line, first_line, phase, attempt, substr(${slot("bodies")}::bytea, start, size), bytes, streams
      from moved
    )
    select place, run_id from moved`;
});

/**
 * Appends batches of any jobs in one statement, which needs no transaction around it and is flushed to the disk once for
 * all of them. Returns for each whether it was stored. It was not if the job is over or locked, its phase has not begun,
 * other lines are next, the same ones are stored already, or there is no room: slower statements find the reason.
 */
export async function appendNextLines(
  statement: Statement,
  batches: readonly NextLines[],
  at: string,
): Promise<boolean[]> {
  const sizes = batches.map(({ body }) => body.length);
  const rows = await append(statement, {
    jobIds: batches.map(({ jobId }) => jobId),
    phases: batches.map(({ phase }) => phase),
    firstLines: batches.map(({ firstLine }) => firstLine),
    lastLines: batches.map(({ lastLine }) => lastLine),
    bytes: batches.map(({ bytes }) => bytes),
    streams: batches.map(({ streams }) => streams),
    bodies: Buffer.concat(batches.map(({ body }) => body)),
    starts: startsOf(sizes),
    sizes,
    at,
  });
  for (const { run_id: runId } of rows) statement.announce(`log:${runId}`);
  const stored = new Set(rows.map(({ place }) => place));
  return batches.map((_batch, index) => stored.has(index + 1));
}

function startsOf(sizes: readonly number[]): number[] {
  let next = 1;
  return sizes.map((size) => {
    const start = next;
    next += size;
    return start;
  });
}
