/** The difference between two readings of the inbox of the viewer. Pure: no page, no browser. */

interface AskedRun {
  readonly since: string;
  readonly run: { readonly id: string; readonly escalatedAt?: string | null };
}

/** A reading: the oldest items of an inbox, and how many runs wait for the viewer in all. */
export interface Reading<Run extends AskedRun> {
  readonly items: readonly Run[];
  readonly count: number;
  /** Whether the inbox has more items than were read. */
  readonly isCut: boolean;
}

/** The difference between two readings: runs that began to wait or, where not all of them were read, their new number. */
export interface Difference<Run extends AskedRun> {
  readonly runs: readonly Run[];
  /** `null`: the runs are named. */
  readonly count: number | null;
}

/**
 * Gives what is new since the former reading. Where there are more runs than were read, those that begin to wait are behind
 * the page, and those that move into it have waited before: then only a greater number counts.
 */
export function newlyAsked<Run extends AskedRun>(former: Reading<Run> | null, now: Reading<Run>): Difference<Run> {
  if (former === null) return { runs: [], count: null };
  if (former.isCut || now.isCut) return { runs: [], count: now.count > former.count ? now.count : null };
  const known = new Set(former.items.map(keyOf));
  return { runs: now.items.filter((item) => !known.has(keyOf(item))), count: null };
}

/** A run that waits at another gate, or with another plan, asks again, and so does one that was escalated. */
const keyOf = ({ run, since }: AskedRun): string => `${run.id} ${since} ${run.escalatedAt ?? ""}`;
