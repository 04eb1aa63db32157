const SECOND = 1000;
const HOUR = 3600 * SECOND;

/** The limits of the verification of an apply. */
export const VERIFICATION_LIMITS = {
  /** The longest window. */
  windowMs: HOUR,
  /** The longest pause between an apply and its first probes. */
  initialDelayMs: HOUR,
  /** How long a verification without a result waits for a person. */
  judgementMs: 24 * HOUR,
  /** The longest verification: then the run fails, also if no server probes. */
  totalMs: 27 * HOUR,
} as const;
