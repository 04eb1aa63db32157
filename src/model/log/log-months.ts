/**
 * Logs by month: ids of runs begin with their time, so the table of batches can be cut between two ids, and keeps its
 * primary key and its foreign key. The newest part is open: it takes what comes after the last month.
 */
import { firstIdAt, idTimeMs } from "../kit/id.ts";

/** A part of the table: runs from this id (null: from the first one) up to, not including, that id (null: it is open). */
export interface LogMonth {
  name: string;
  from: string | null;
  to: string | null;
}

/** The open part ends at `until` and gets a name of its own; these months follow, and a new open part. */
export interface LogMonthsPlan {
  closed: LogMonth & { to: string };
  months: (LogMonth & { from: string; to: string })[];
  openFrom: string;
}

export const OPEN_LOG_PART = "log_batch_rest";

/** While the open part is being closed no run may be created behind its end; nor in a month that has gone. Clocks differ. */
const MARGIN_MS = 2 * 24 * 60 * 60 * 1000;

/**
 * Plans the change so that the current month and so many after it have their parts; null: nothing. `openFrom` null: the table
 * is in one piece. `newestId`: of a run in the open part, which may be ahead where a clock was.
 */
export function planLogMonths(
  openFrom: string | null,
  newestId: string | null,
  now: Date,
  monthsAhead: number,
): LogMonthsPlan | null {
  const end = addMonths(now.getTime(), monthsAhead + 1);
  if (openFrom !== null && idTimeMs(openFrom) >= end) return null;
  const earliest = Math.max(now.getTime() + MARGIN_MS, newestId === null ? 0 : idTimeMs(newestId) + 1);
  let until = addMonths(openFrom === null ? now.getTime() : idTimeMs(openFrom), 1);
  while (until < earliest) until = addMonths(until, 1);
  const months = [];
  const closed = { name: closedName(openFrom, until), from: openFrom, to: firstIdAt("run", until) };
  for (; until < end; until = addMonths(until, 1)) {
    const to = firstIdAt("run", addMonths(until, 1));
    months.push({ name: `log_batch_${monthOf(until)}`, from: firstIdAt("run", until), to });
  }
  return { closed, months, openFrom: firstIdAt("run", until) };
}

/** The months that lie wholly before an instant, and in the past: runs are created in the others. Oldest first. */
export function monthsBefore(months: readonly LogMonth[], ms: number, now: Date): LogMonth[] {
  const last = firstIdAt("run", Math.min(ms, now.getTime() - MARGIN_MS));
  return months
    .filter(({ to }) => to !== null && to <= last)
    .toSorted((a, b) => ((a.to ?? "") < (b.to ?? "") ? -1 : 1));
}

function closedName(openFrom: string | null, until: number): string {
  return openFrom === null ? `log_batch_before_${monthOf(until)}` : `log_batch_${monthOf(idTimeMs(openFrom))}`;
}

/** `2026_11` */
function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7).replace("-", "_");
}

/** The start of the month so many after that of an instant, in UTC. */
function addMonths(ms: number, count: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + count);
}
