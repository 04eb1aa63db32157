/** Bounds of schedules. Durations in milliseconds unless the name has another unit. */
export const SCHEDULE_LIMITS = {
  scheduleSpreadMinutes: 24 * 60,
  /** Times of a cron expression that are listed. */
  cronTimes: 20,
  /** The interval in which due schedules are looked up, and those of one round. */
  schedulesMs: 2000,
  schedulesByRound: 100,
  /** A due time that is older was missed: no server was up. */
  scheduleGraceMs: 5 * 60_000,
  /** How long it is recorded what became of a due time. */
  scheduleFiringKeptMs: 30 * 24 * 60 * 60 * 1000,
} as const;
