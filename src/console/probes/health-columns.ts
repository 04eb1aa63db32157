/** A history of health in columns of equal length. Pure. */
import type { HealthHistoryQuery } from "../generated/graphql.ts";

export type Bucket = NonNullable<HealthHistoryQuery["workspace"]>["healthHistory"][number];

/** The samples of a stretch of time. */
export interface Column {
  readonly from: number;
  readonly samples: number;
  readonly bad: number;
  readonly held: number;
  /** The longest of the median times of answers; `null` if there was no answer. */
  readonly medianMs: number | null;
  readonly maxMs: number | null;
}

/** A stretch of time, in milliseconds, and the number of its columns. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Adds up buckets by columns; `null` for a column without samples. A bucket counts where it begins. */
export function columnsOf(buckets: readonly Bucket[], { from, to, count }: Stretch): (Column | null)[] {
  const lengthMs = (to - from) / count;
  const columns: (Column | null)[] = Array.from({ length: count }, () => null);
  for (const bucket of buckets) {
    const at = Math.floor((Date.parse(bucket.from) - from) / lengthMs);
    const column = columns[at];
    if (column === undefined || bucket.samples === 0) continue;
    columns[at] = added(
      column ?? { from: from + at * lengthMs, samples: 0, bad: 0, held: 0, medianMs: null, maxMs: null },
      bucket,
    );
  }
  return columns;
}

const added = (column: Column, { samples, bad, held, medianMs, maxMs }: Bucket): Column => ({
  from: column.from,
  samples: column.samples + samples,
  bad: column.bad + bad,
  held: column.held + held,
  medianMs: longest(column.medianMs, medianMs),
  maxMs: longest(column.maxMs, maxMs),
});

function longest(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.max(one, other);
}

export type ColumnTone = "good" | "bad" | "busy";

/** Gives the tone of a column: bad if a sample was not good, busy if a run changed the workspace at all of its samples. */
export function toneOfColumn({ samples, bad, held }: Column): ColumnTone {
  if (bad > 0) return "bad";
  return held === samples ? "busy" : "good";
}

/** Writes how many samples were good, such as `99.95 %`. It is 100 % only if all were. */
export function goodShare(columns: readonly (Column | null)[]): string {
  const known = columns.filter((column) => column !== null);
  const samples = known.reduce((sum, column) => sum + column.samples, 0);
  const bad = known.reduce((sum, column) => sum + column.bad, 0);
  if (samples === 0) return "no samples";
  const hundredths = Math.floor(((samples - bad) / samples) * 10_000);
  return `${hundredths / 100} % of ${samples} samples were good`;
}
