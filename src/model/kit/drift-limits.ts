/** Bounds of checks for drift. Durations in milliseconds, sizes in bytes. */
export const DRIFT_LIMITS = {
  /** The values of a check for drift whose attributes are compared. Of further resources only the addresses count. */
  driftBytes: 4 * 1024 * 1024,
  /** Resources of a report that are listed; all are counted. */
  driftedResources: 10_000,
  driftIgnoreRules: 100,
  driftPatternLength: 500,
  driftAcknowledgedMs: 366 * 24 * 60 * 60 * 1000,
  /** The highest limit on the checks for drift that a pool runs at once. */
  driftCheckLimit: 1000,
  /** Runs that undo drift, which a round makes. */
  reconciliationsByRound: 100,
  reconciliationsMs: 5_000,
  /** Checks that a round stops because an apply has begun. */
  overtakenChecksByRound: 100,
} as const;
