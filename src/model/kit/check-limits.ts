/** The bounds of external checks. Durations in milliseconds, sizes in bytes. */
export const CHECK_LIMITS = {
  externalChecksPerOrganization: 20,
  checkKeyLength: { least: 1, most: 500 },
  /** The limits of a check in seconds: for its next report, and for all. */
  checkSeconds: { least: 1, most: 24 * 60 * 60, progress: 600, total: 3600 },
  checkRequest: { connectMs: 5000, totalMs: 15_000, answerBytes: 4096 },
  /** Pauses between requests: five in about five minutes. */
  checkRetryMs: [5000, 25_000, 90_000, 180_000],
  /** Requests of one server at a time, and how long a server has a result for one. */
  checksAtOnce: 20,
  checkLeaseMs: 60_000,
  /** How long a runner has a request of its pool, and how often a request that no runner takes is reviewed. */
  checkRequestLeaseMs: 30_000,
  checkOfferMs: 30_000,
  /** How long a command waits for the answer of a test by a runner, and how often it looks for it. */
  checkTestMs: 25_000,
  checkTestPollMs: 200,
  /** The length of an error that a runner reports. */
  checkErrorLength: 300,
  /** The longest and the shortest time between two looks for what is due. */
  checkPollMs: 5000,
  /** Bounds of a report; those of texts are of HCP's schemas. */
  checkReport: {
    bytes: 6 * 1024 * 1024,
    outcomes: 200,
    outcomeBytes: 256 * 1024,
    allBytes: 5 * 1024 * 1024,
    outcomeIdLength: 64,
    messageLength: 1000,
    descriptionLength: 1000,
    urlLength: 500,
    tagsPerOutcome: 10,
    labelsPerTag: 32,
    labelLength: 64,
  },
  /** Total size of reports in memory. */
  checkReportsBytes: 64 * 1024 * 1024,
  /** Requests of one address with a wrong token. */
  checkFailures: { perMinute: 60, burst: 60 },
  /** The least time between two events about the progress of one result. */
  checkEventMs: 1000,
  /** Results whose outcomes one request reads. */
  checkOutcomesPerRequest: 20,
} as const;
