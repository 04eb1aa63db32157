/**
 * Partitions logs by month. Ids of runs begin with their time, so the table can be split between two ids and keeps its
 * keys. The newest partition is open: it takes everything after the last month.
 */
import { firstIdAt, idTimeMs } from "../kit/id.ts";

/** A partition: runs from this id (`null`: from the first) up to but excluding that id (`null`: open). */
export interface LogMonth {
  name: string;
  from: string | null;
  to: string | null;
}

/**
 * A change of partitions: the open one ends at `until` and gets its own name; these months follow, then a new open one.
 */
export interface LogMonthsPlan {
  closed: LogMonth & { to: string };
  months: (LogMonth & { from: string; to: string })[];
  openFrom: string;
}

export const OPEN_LOG_PART = "log_batch_rest";

/**
 * While the open partition is being closed, no run may be created after its end, nor in a dropped month. Clocks differ.
 */
const MARGIN_MS = 2 * 24 * 60 * 60 * 1000;

/**
 * Plans partitions for the current month and `monthsAhead` more; `null` if nothing is missing. `openFrom`: `null` if
 * the table has no partitions. `newestId`: the newest run in the open partition, which a fast clock may have put ahead.
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

/** Returns the months that end before an instant and before now, oldest first; runs are created only in later ones. */
export function monthsBefore(months: readonly LogMonth[], ms: number, now: Date): LogMonth[] {
  const last = firstIdAt("run", Math.min(ms, now.getTime() - MARGIN_MS));
  return months
    .filter(({ to }) => to !== null && to <= last)
    .toSorted((a, b) => ((a.to ?? "") < (b.to ?? "") ? -1 : 1));
}

function closedName(openFrom: string | null, until: number): string {
  return openFrom === null ? `log_batch_before_${monthOf(until)}` : `log_batch_${monthOf(idTimeMs(openFrom))}`;
}

/** Returns the name of the month, for example `2026_11`. */
function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7).replace("-", "_");
}

/** Returns the start of the month `count` months later, in UTC. */
function addMonths(ms: number, count: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + count);
}
