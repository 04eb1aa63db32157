/** Chooses the buckets of a history of health. Pure. */
import { HEALTH_LIMITS } from "./health-limits.ts";
import { bucketStartMs } from "./target-hash.ts";

/** The lengths of buckets: five minutes, an hour, a day. */
export const HISTORY_UNITS = ["bucket", "hour", "day"] as const;
export type HistoryUnit = (typeof HISTORY_UNITS)[number];

/** The units that are added up. */
export type RolledUnit = Exclude<HistoryUnit, "bucket">;

/** The unit whose rows are added up into one of a unit. */
export const PART_OF = { hour: "bucket", day: "hour" } as const satisfies Record<RolledUnit, HistoryUnit>;

export const UNIT_MS: Readonly<Record<HistoryUnit, number>> = {
  bucket: HEALTH_LIMITS.bucketMs,
  hour: 3_600_000,
  day: 24 * 3_600_000,
};

/** The samples between two instants. */
export interface HealthBucket {
  from: string;
  seconds: number;
  samples: number;
  bad: number;
  /** Samples while a run changed the target; they are not bad. */
  held: number;
  medianMs: number | null;
  maxMs: number | null;
}

/** The beginnings of the buckets of a history, or a problem with its bounds. */
export type PlannedHistory =
  | { unit: HistoryUnit; starts: readonly string[]; problem: null }
  | { problem: { field: "from" | "to"; message: string } };

const KEPT_MS: Readonly<Record<HistoryUnit, number>> = {
  bucket: HEALTH_LIMITS.bucketsKeptMs,
  hour: HEALTH_LIMITS.hoursKeptMs,
  day: Number.POSITIVE_INFINITY,
};

/** Chooses the shortest buckets that are kept since `from`, and of which there are not too many. */
export function planHistory(fromMs: number, toMs: number, nowMs: number, bucketOffsetMs: number): PlannedHistory {
  const { historyBuckets: most } = HEALTH_LIMITS;
  if (toMs <= fromMs) return { problem: { field: "to", message: "Must be later than `from`." } };
  const endMs = Math.min(toMs, nowMs);
  const unit = HISTORY_UNITS.find(
    (one) => fromMs >= nowMs - KEPT_MS[one] && Math.ceil((endMs - fromMs) / UNIT_MS[one]) <= most,
  );
  if (unit === undefined) return { problem: { field: "from", message: `Must be at most ${most} days before \`to\`.` } };
  const lengthMs = UNIT_MS[unit];
  const firstMs = unit === "bucket" ? bucketStartMs(fromMs - 1, bucketOffsetMs) : floor(fromMs - 1, lengthMs);
  const count = Math.max(Math.ceil((endMs - firstMs - lengthMs) / lengthMs), 0);
  const starts = Array.from({ length: count }, (_none, index) =>
    new Date(firstMs + (index + 1) * lengthMs).toISOString(),
  );
  return { unit, starts, problem: null };
}

const floor = (ms: number, unit: number): number => Math.floor(ms / unit) * unit;
