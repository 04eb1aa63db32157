/** The hours and days that a bucket belongs to. Pure. */
import { PART_OF, type RolledUnit, UNIT_MS } from "./history.ts";

/** An hour or a day of a target, and the first row that is added up into it. */
export interface RolledPeriod {
  targetId: number;
  at: string;
  first: string;
}

/** Returns the hour or the day in which a bucket began. All buckets of a target begin at the same distance from each other. */
export function periodOf({ targetId, from }: { targetId: number; from: string }, unit: RolledUnit): RolledPeriod {
  const fromMs = Date.parse(from);
  const atMs = Math.floor(fromMs / UNIT_MS[unit]) * UNIT_MS[unit];
  const firstMs = atMs + ((unit === "day" ? 0 : fromMs - atMs) % UNIT_MS[PART_OF[unit]]);
  return { targetId, at: new Date(atMs).toISOString(), first: new Date(firstMs).toISOString() };
}
