/** Bounds of failures, in bytes. */
export const FAILURE_LIMITS = {
  /** The errors of an engine that a failure lists, and the bytes of each. */
  failureErrors: 100,
  failureAddressBytes: 1000,
  failureSummaryBytes: 500,
  failureDetailBytes: 4096,
} as const;
