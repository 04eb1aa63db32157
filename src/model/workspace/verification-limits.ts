const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** The limits of the verification of an apply. */
export const VERIFICATION_LIMITS = {
  initialDelaySeconds: { least: 0, most: 3600 },
  intervalSeconds: { least: 1, most: 600 },
  windowSeconds: { least: 30, most: 3600 },
  successesInARow: { least: 1, most: 20 },
  failFastAfter: { least: 1, most: 100 },
  /** How long a verification without a result waits for a person. */
  judgementMs: 24 * HOUR,
  /** The longest verification: then the run fails, also if no server probes. */
  totalMs: 27 * HOUR,
  /** A sample counts for so many intervals: a prober that is away must not keep an old result alive. */
  freshIntervals: 3,
  leastFreshIntervalMs: 10 * SECOND,
  /** Requests of one baseline for each probe, of which one must pass. */
  baselineTries: 3,
  /** How often a verification before its apply is read, after the baseline. */
  pendingLookMs: HOUR,
  /** For how long a way back is prepared whose sources cannot be read. */
  rollbackMs: HOUR,
  /** Verifications of one server at a time. */
  atOnce: 32,
  leaseMs: 30 * SECOND,
  /** The longest round, within its lease. */
  roundMs: 25 * SECOND,
  pollMs: 5 * SECOND,
} as const;
