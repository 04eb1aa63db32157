const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The limits of runtime health. Durations in milliseconds. */
export const HEALTH_LIMITS = {
  /** Bad samples in a row after which a target is down. */
  failAfter: 3,
  /** Good samples in a row after which it is up again. */
  recoverAfter: 2,
  /** Slow samples in a row after which it is slow. */
  slowAfter: 3,
  /** Samples of a target before it counts as healthy. */
  minSamples: 3,
  /** The pause before a sample that may confirm a change. */
  quickMs: 5 * SECOND,
  /** Such samples in a row: a target that swings is probed at its interval. */
  quickChecks: 3,
  /** Bad samples in a row after which a target is probed half as often. */
  backOffAfter: 10,
  /** Intervals without a prober after which nothing is known about a target. */
  absentIntervals: 3,
  shards: 256,
  /** Shards whose targets are in one answer to a prober: those of 10,000 targets at once would be 70 MB in memory. */
  shardsAtOnce: 32,
  /** A prober that sends nothing for so long loses its shards. With an interval of 30 s no target waits for 90 s. */
  leaseMs: 45 * SECOND,
  /** How often a prober renews its lease and reports. */
  heartbeatMs: 5 * SECOND,
  /** The pause in which several changes become one report. */
  changePauseMs: 200,
  bucketMs: 5 * MINUTE,
  /** More samples than a bucket can get. */
  samplesPerBucket: 100,
  /** Entries of one report. */
  reportEntries: 5000,
  /** Buckets that a prober keeps while no report is taken. */
  keptBuckets: 50_000,
  /** The clock of a prober may be ahead by so much. */
  aheadMs: 30 * SECOND,
  /** Buckets that began longer ago are not taken. */
  oldestBucketMs: 24 * HOUR,
  /** Hours are added up so long after their end; buckets that come later are added to them one by one. */
  lateBucketMs: HOUR,
  /** Servers may differ about the age of a bucket by so much: one that is almost late is handled as late. */
  clocksApartMs: MINUTE,
  /** Samples of one prober at a time, and to one host. */
  atOnce: 1000,
  atOnceHost: 4,
  /** The step of the timers of a prober. */
  tickMs: 100,
  /** Overdue targets are probed within this time. */
  catchUpMs: 8 * SECOND,
  /** The health of a workspace is announced by webhooks once it has been another for so long. */
  quietMs: 60 * SECOND,
  /** How often a server looks for targets without a prober, webhooks that are due, and workspaces with new targets. */
  roundMs: 5 * SECOND,
  /** Workspaces or targets of one transaction of a round. */
  roundRows: 200,
  bucketsKeptMs: 48 * HOUR,
  hoursKeptMs: 30 * 24 * HOUR,
  /** Partitions of buckets are made for so many days ahead. */
  daysAhead: 2,
  historyBuckets: 500,
  historiesPerRequest: 20,
  reasonLength: 500,
} as const;
