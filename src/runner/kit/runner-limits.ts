/** Every bound of the runner in one place. Durations in milliseconds, sizes in bytes. */
export const RUNNER_LIMITS = {
  /** How long the server may hold a claim open. */
  claimWaitMs: 20_000,
  /** For the notice that the runner drains; without it the server notices after a while. */
  drainNoticeMs: 5_000,
  backOffFirstMs: 200,
  backOffLastMs: 10_000,
  /** Requests of external checks at the same time. */
  checkRequestsAtOnce: 8,
  /** Verifications whose probes are sampled at the same time. */
  samplingsAtOnce: 32,
  /** A request of the prober of health: a lease that is renewed late is another's. */
  healthRequestMs: 15_000,
  /** Users for the commands of probes, each for one verification at a time. */
  commandSlots: 4,
  /** The beginning of a command's output that the runner's own log may show. */
  commandOutputBytes: 4 * 1024,
  /** A request that hangs for longer is given up and sent again. */
  requestMs: 60_000,
  /** From the claim to the first heartbeat. The server holds it open, so that an order to stop arrives at once. */
  firstHeartbeatMs: 500,
  /** Sources, archives and states can be large. */
  transferMs: 10 * 60_000,

  /** SIGINT to SIGKILL, where the engine must get the chance to save its state. */
  interruptGraceMs: 30_000,
  /** SIGINT to SIGKILL of an apply that a person cancelled: its providers may take long to finish an operation. */
  cancelGraceMs: 10 * 60_000,
  /** SIGINT to SIGKILL of an engine that has nothing to save. */
  planGraceMs: 5_000,
  /** SIGINT to SIGKILL of an apply that a killed runner left behind. */
  orphanGraceMs: 30_000,
  /** For children of an ended engine to close its output, before the group is killed. */
  outputGraceMs: 500,
  /** How long a drained runner retries its reports. */
  deliveryMs: 10 * 60_000,
  /** How long the engine waits for its state to be stored, before it gets an error. */
  stateHoldMs: 5 * 60_000,
  /** How long storing a state is retried once the engine has ended. */
  stateSettleMs: 10 * 60_000,

  /** Between attempts to deliver a state that was refused. Doubles, because a lease that still lives ends. */
  redeliveryFirstMs: 3_000,
  redeliveryLastMs: 10 * 60_000,

  logBatchBytes: 64 * 1024,
  logBatchLines: 500,
  logBatchMs: 250,
  /** Full batches in flight; a server may allow fewer. */
  logPostsInFlight: 8,
  /** Lines that wait for the server; beyond that the engine's output is paused. */
  logQueueBytes: 4 * 1024 * 1024,
  logLineBytes: 64 * 1024,
  /** Log of a phase, and of a run over all its jobs. Later lines are dropped, except the last ones. */
  logPhaseBytes: 64 * 1024 * 1024,
  logRunBytes: 256 * 1024 * 1024,
  logTailBytes: 64 * 1024,
  /** Between notices of dropped lines: a phase without a line for a minute may be ended. */
  logNoticeMs: 40_000,
  /** How long a line is held back whose end may begin a secret. */
  logHoldMs: 1000,
  /** A longer line of the engine is not parsed as JSON; only its beginning is kept. */
  engineLineBytes: 1024 * 1024,
  /** The text of error diagnostics in a failure report. */
  failureTextBytes: 256 * 1024,
  evidenceLines: 6,

  /** Between two reports of progress. */
  progressMs: 2000,
  /** Before the first report. */
  progressFirstMs: 250,
  progressTimeoutMs: 10_000,
  /** Current resources that a report names, and the length of their addresses. */
  progressShown: 20,
  progressAddressLength: 1024,

  stateBytes: 256 * 1024 * 1024,
  /** A larger state is fetched again instead of kept in memory while the engine works. */
  stateKnownBytes: 4 * 1024 * 1024,
  planJsonBytes: 480 * 1024 * 1024,
  planTextBytes: 16 * 1024 * 1024,
  /** The document of a plan before compression, without custom input; and the depth of a value in it. */
  planDocumentBytes: 64 * 1024 * 1024,
  planDocumentDepth: 200,
  /** Files of custom input, together. */
  policyInputFiles: 20,
  policyInputBytes: 5 * 1024 * 1024,
  unpackedBytes: 4 * 1024 * 1024 * 1024,
  unpackedEntries: 200_000,
  unpackedNameBytes: 1024,

  /** How long the folder of a plan is cached for its apply, and what it may hold. */
  planCacheMs: 10 * 60_000,
  planCacheBytes: 64 * 1024 * 1024,
  planCacheEntries: 10_000,
  /** Sensitive texts that are cached with it. */
  planCacheTextBytes: 1024 * 1024,

  /** Shorter values are too common in ordinary text to be replaced. */
  maskLength: 6,
  /** A value that a job declares; a longer one is masked in this job only. */
  maskBytes: 8 * 1024,
  /** Declared values of a job; each one rebuilds the search. */
  masksPerJob: 1000,
} as const;

/** The limits as a value that tests may replace in part. */
export type RunnerLimits = { readonly [K in keyof typeof RUNNER_LIMITS]: number };
