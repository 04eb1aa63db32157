import type { Figure } from "../part.ts";

/** Median, smallest and largest of rounds; an even number of them has the mean of the two in the middle. */
export function figure(values: readonly number[], unit: string): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const low = sorted[Math.floor(middle)] ?? Number.NaN;
  const high = sorted[Math.ceil(middle)] ?? Number.NaN;
  return { median: (low + high) / 2, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN, unit };
}

/** Ratios round by round: what is noise of the machine is in both, and goes. */
export function ratio(of: readonly number[], to: readonly number[]): Figure {
  return figure(
    of.map((value, round) => value / (to[round] ?? Number.NaN)),
    "",
  );
}

/** Differences round by round, so that a change of the machine is in both terms. */
export function difference(of: readonly number[], from: readonly number[], unit: string): Figure {
  return figure(
    of.map((value, round) => value - (from[round] ?? Number.NaN)),
    unit,
  );
}

/** The value that `share` (0 to 1) of the sorted values do not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** CPU of Node and of Postgres, of samples that have both. */
export function cpuFigures(samples: readonly { readonly nodeMs: number; readonly postgresMs: number }[]): Figure[] {
  const figureOf = (values: readonly number[]): Figure => figure(values, "ms");
  return [figureOf(samples.map(({ nodeMs }) => nodeMs)), figureOf(samples.map(({ postgresMs }) => postgresMs))];
}
