/** Every bound of the runner in one place. Durations in milliseconds, sizes in bytes. */
export const RUNNER_LIMITS = {
  /** How long the server may hold a claim open. */
  claimWaitMs: 20_000,
  /** For telling the server that no more work is taken; it learns so by itself after a while. */
  drainNoticeMs: 5_000,
  backOffFirstMs: 200,
  backOffLastMs: 10_000,
  /** A request that hangs for longer is given up and sent again. */
  requestMs: 60_000,
  /** From the claim to the first heartbeat, which is held open and hears at once when the work is to end. */
  firstHeartbeatMs: 500,
  /** Sources, archives and states can be large. */
  transferMs: 10 * 60_000,

  /** SIGINT to SIGKILL, where the engine must get the chance to save its state. */
  interruptGraceMs: 30_000,
  /** The same where a person stopped an apply: its providers may take long to end what they have begun. */
  cancelGraceMs: 10 * 60_000,
  /** SIGINT to SIGKILL of an engine that has nothing to save. */
  planGraceMs: 5_000,
  /** SIGINT to SIGKILL of an apply that a killed runner left behind. */
  orphanGraceMs: 30_000,
  /** What an ended engine's children get to close its output before the whole group is killed. */
  outputGraceMs: 500,
  /** How long a drained runner tries to tell its results to a server that is away. */
  deliveryMs: 10 * 60_000,
  /** How long the engine waits for its state to be stored before it is told that it was not. */
  stateHoldMs: 5 * 60_000,
  /** How long a state is tried to be stored once the engine has ended. */
  stateSettleMs: 10 * 60_000,

  /** Between attempts to deliver a state that was left and is refused; doubles, because a lease that still lives ends. */
  redeliveryFirstMs: 3_000,
  redeliveryLastMs: 10 * 60_000,

  logBatchBytes: 64 * 1024,
  logBatchLines: 500,
  logBatchMs: 250,
  /** Full batches that are under way at the same time; a server may take fewer. */
  logPostsInFlight: 8,
  /** Lines that wait for the server; beyond that the engine's output is paused. */
  logQueueBytes: 4 * 1024 * 1024,
  logLineBytes: 64 * 1024,
  /** What a phase, and a run over all its jobs, may bring into its log; what follows is dropped but for its end. */
  logPhaseBytes: 64 * 1024 * 1024,
  logRunBytes: 256 * 1024 * 1024,
  logTailBytes: 64 * 1024,
  /** How often a phase whose lines are dropped says so: one that says nothing for a minute may be ended for its silence. */
  logNoticeMs: 40_000,
  /** How long a line is held back that may end with the beginning of a secret. */
  logHoldMs: 1000,
  /** A longer line of the engine is not parsed as JSON; only its beginning is kept. */
  engineLineBytes: 1024 * 1024,
  /** The text of error diagnostics in a failure report. */
  failureTextBytes: 256 * 1024,
  evidenceLines: 6,

  /** Between two reports of how far the engine is. */
  progressMs: 2000,
  /** Before the first report. */
  progressFirstMs: 250,
  progressTimeoutMs: 10_000,
  /** Resources at work that are named, and the length of their addresses. */
  progressShown: 20,
  progressAddressLength: 1024,

  stateBytes: 256 * 1024 * 1024,
  /** A larger one is asked for again, rather than kept in memory while the engine works. */
  stateKnownBytes: 4 * 1024 * 1024,
  planJsonBytes: 480 * 1024 * 1024,
  planTextBytes: 16 * 1024 * 1024,
  unpackedBytes: 4 * 1024 * 1024 * 1024,
  unpackedEntries: 200_000,
  unpackedNameBytes: 1024,

  /** How long the folder of a plan waits for its apply, and what it may hold. */
  planCacheMs: 10 * 60_000,
  planCacheBytes: 64 * 1024 * 1024,
  planCacheEntries: 10_000,
  /** The texts that its log must not show. */
  planCacheTextBytes: 1024 * 1024,

  /** Shorter values are too common in ordinary text to be replaced. */
  maskLength: 6,
  /** A value that a job declares; a longer one is masked in this job alone. */
  maskBytes: 8 * 1024,
  /** So many of them: each makes the search for all of them be prepared anew. */
  masksPerJob: 1000,
} as const;

/** The limits as a value that tests may replace in part. */
export type RunnerLimits = { readonly [K in keyof typeof RUNNER_LIMITS]: number };
