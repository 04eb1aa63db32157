/** The hours and days that a bucket belongs to. Pure. */
import { type HistoryUnit, UNIT_MS } from "./history.ts";

/** An hour or a day of a target, and the first row that is added up into it. */
export interface Stretch {
  targetId: number;
  at: string;
  first: string;
}

/** The rows that are added up into one of a unit. */
const PART: Readonly<Record<Exclude<HistoryUnit, "bucket">, HistoryUnit>> = { hour: "bucket", day: "hour" };

/** Returns the hour or the day in which a bucket began. All buckets of a target begin at the same distance from each other. */
export function stretchOf(
  { targetId, from }: { targetId: number; from: string },
  unit: Exclude<HistoryUnit, "bucket">,
): Stretch {
  const fromMs = Date.parse(from);
  const atMs = Math.floor(fromMs / UNIT_MS[unit]) * UNIT_MS[unit];
  const firstMs = unit === "day" ? atMs : atMs + ((fromMs - atMs) % UNIT_MS[PART[unit]]);
  return { targetId, at: new Date(atMs).toISOString(), first: new Date(firstMs).toISOString() };
}
