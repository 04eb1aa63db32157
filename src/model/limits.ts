/** Every bound of the product in one place. Durations in milliseconds, sizes in bytes. */
export const LIMITS = {
  leaseMs: 30_000,
  heartbeatMs: 10_000,
  reaperMs: 2_000,
  attemptsPerLeg: 3,
  forceStopAfterMs: 60_000,
  idempotencyKeyMs: 24 * 60 * 60 * 1000,
  runnerSeenMs: 60_000,
  claimWaitMs: 25_000,

  pageSize: 100,
  logPageSize: 5000,
  defaultPageSize: 20,

  nameLength: 90,
  textLength: 10_000,
  keyLength: 255,
  variableBytes: 256 * 1024,
  variablesPerWorkspace: 500,
  targetsPerRun: 500,
  nodesPerRequest: 100,

  sourceBytes: 100 * 1024 * 1024,
  sourceFiles: 20_000,
  blobPieceBytes: 1024 * 1024,
  stateBytes: 256 * 1024 * 1024,
  archiveBytes: 512 * 1024 * 1024,
  messageBytes: 64 * 1024 * 1024,
  logBatchBytes: 512 * 1024,
  logLineBytes: 64 * 1024 + 256,

  requestBytes: 1024 * 1024,
  queryDepth: 15,
  queryFields: 1500,
  queryTokens: 5000,
  queryAliases: 60,
  subscriptionsPerSocket: 100,
  webSocketMessageBytes: 256 * 1024,

  streamPageEvents: 100,
  streamPageBytes: 256 * 1024,
  streamPollMs: 5000,
} as const;
