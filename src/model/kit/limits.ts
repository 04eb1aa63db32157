/** Every bound of the product in one place. Durations in milliseconds, sizes in bytes. */
export const LIMITS = {
  heartbeatMs: 10_000,
  reaperMs: 2_000,
  lockExpiryMs: 2_000,
  schedulerMs: 2_000,
  timekeeperMs: 2_000,
  /** Runs that one round checks. */
  alarmsPerRound: 500,
  /** The pause before a run whose check failed is checked again. */
  alarmRetryMs: 60_000,
  /** The time for a runner to end its work when a limit is exceeded: SIGINT, the engine's grace, the last state and log. */
  timeoutGraceMs: 120_000,
  /** Speculative runs of a workspace that are let in together; what leaves them lets in the next. */
  admissionsAtOnce: 100,
  /** Runs of a workspace, the first in line, whose blockers are notified at once. */
  blockersTold: 10,
  /** Runs whose blockers a round of the scheduler notifies, over all workspaces, and the workspaces that it reads. */
  blockersToldByRound: 100,
  workspacesSettledByRound: 100,
  /** Waiting runs that a round checks because the calendar may have changed what they wait for. */
  strayRuns: 5000,
  /** Rows that are asked for by their ids, of requests that come at the same time, in one statement. */
  keysReadTogether: 250,
  /** First pages of lists in one read; the phases of their runs, 20 each, are one read as well. */
  pagesReadTogether: 12,
  idempotencyKeyMs: 24 * 60 * 60 * 1000,
  /** A runner without a request for so long is OFFLINE, and earlier if its lease has run out. */
  runnerOfflineMs: 60_000,
  /** A runner with a free slot asks at least this often: one that does not is at work, or gone. */
  runnerAsksMs: 15_000,
  /** Runners without a request for longer are not counted among those that could take a run. */
  runnerForgottenMs: 7 * 24 * 60 * 60 * 1000,
  runnerLabels: 20,
  /** Runs of an organization that are brought into line at once with the runners that are there; steps of a round. */
  reachAtOnce: 5000,
  reachSteps: 10,
  runnerSlots: 1000,
  runnerPoolsPerOrganization: 100,
  runnerTokensPerPool: 100,
  claimWaitMs: 25_000,
  /** Kinds of waiting runners of which one checks at once whether the slot of others could move to its work. */
  kindsCalledAtOnce: 100,

  pageSize: 100,
  logPageSize: 5000,
  defaultPageSize: 20,

  nameLength: 90,
  textLength: 10_000,
  keyLength: 255,
  variableBytes: 256 * 1024,
  variablesPerWorkspace: 500,
  hooksPerWorkspace: 20,
  hookCommandLength: 8192,
  formerSecretsPerWorkspace: 200,
  targetsPerRun: 500,
  metadataEntries: 50,
  metadataKeyLength: 100,
  metadataValueLength: 1000,
  /** The highest priority of a run; the lowest is its negative. */
  priority: 100,
  nodesPerRequest: 100,
  maxOffset: 10_000,
  countAtMost: 10_000,
  changePageBytes: 4 * 1024 * 1024,
  slugLength: 63,
  concurrencyLimit: 1000,
  approvalRules: 20,
  approversPerRule: 50,
  /** Possible approvers: so many are read, and so many named. */
  approversAsked: 1000,
  eligibleActorsShown: 50,
  peopleCounted: 100_000,
  freezeWindows: 20,
  freezeWindowMinutes: 366 * 24 * 60,

  sourceBytes: 100 * 1024 * 1024,
  sourceFiles: 20_000,
  /** How many times its own size an archive may have, once it is unpacked past sourceRatioFromBytes. */
  sourceRatio: 200,
  sourceRatioFromBytes: 8 * 1024 * 1024,
  uploadKeptMs: 24 * 60 * 60 * 1000,
  uploadSweepMs: 60 * 60 * 1000,
  /** Uploads and states of people that are in memory at a time, in all and of one token; others wait. */
  transfersAtOnce: 4,
  transfersPerToken: 2,
  /** One of which nothing comes for so long is ended. */
  transferSilenceMs: 10_000,
  gitMs: 120_000,
  /** The bytes that git may write to the disk for one run. */
  gitBytes: 512 * 1024 * 1024,
  gitAtOnce: 4,
  blobPieceBytes: 1024 * 1024,
  /** Pauses between tries of a request to a bucket; one in which nothing moves for so long has failed. */
  objectStore: { retryMs: [200, 1000, 4000], silentMs: 30_000 },
  /** An object without a row is removed after so long; one whose removal broke off, after so long again. */
  strayObjectMs: 24 * 60 * 60 * 1000,
  strayObjectStuckMs: 10 * 60 * 1000,
  strayObjectsAtOnce: 100,

  retentionDays: 36_500,
  retentionMs: 10 * 60 * 1000,
  /** The most that one transaction removes: batches of logs or entries of a feed; of so many runs; bytes of archives. */
  retentionRows: 1000,
  retentionRuns: 100,
  retentionBytes: 256 * 1024 * 1024,
  /** Where logs lie in months, rows that are due stay for so long to be dropped with their month. */
  logMonthMs: 40 * 24 * 60 * 60 * 1000,
  /** How long a change of the months of logs waits for the table: an autovacuum gives way after 1 s. */
  logMonthLockMs: 1500,
  logMonthTries: 40,
  logMonthHeads: 5000,
  /** How long a migration waits for a table: longer than an autovacuum takes to give way. Later statements wait behind it. */
  migration: { lockMs: 1500, pauseMs: 3000, tries: 60 },
  stateBytes: 256 * 1024 * 1024,
  /** States that are looked into at a time, by one server; and by one request. */
  statesExaminedAtOnce: 2,
  statesExaminedPerRequest: 3,
  /** Larger ones are not looked into; smaller ones than the second need no thread of their own. */
  stateExaminedBytes: 128 * 1024 * 1024,
  stateInlineBytes: 512 * 1024,
  stateResourcesShown: 1000,
  stateValuesShown: 200,
  stateValueLength: 4096,
  stateReadingsShown: 20,
  archiveBytes: 512 * 1024 * 1024,
  messageBytes: 64 * 1024 * 1024,
  /** A sender that pauses for so long in a body is cut off. */
  bodySilenceMs: 10_000,
  /** The bytes and the time for which the rest of a refused body is drained, so that its sender receives the reason. */
  refusedBodyBytes: 256 * 1024 * 1024,
  refusedBodyMs: 5_000,
  /** Bodies of runners that are in memory together; who comes on top of them is asked to come again. */
  bodiesBytes: 1024 * 1024 * 1024,
  /** Heartbeats of a job that are held open together; others are answered at once. */
  heartbeatsHeld: 2,
  /** Requests to the runner protocol without a valid credential are logged no more often. */
  strangerLogMs: 60_000,
  /** Engines make a UUID of it. */
  lineageLength: 200,
  /** Refused requests of a job that are kept; all of them are counted. */
  refusedPerJob: 100,
  /** States of a job that came too late and are kept. */
  recoveredPerJob: 5,
  recoveredShown: 100,
  logBatchBytes: 512 * 1024,
  /** The jobs whose lines one statement of a server stores; the next one starts behind one that takes so long. */
  logJobsAtOnce: 32,
  logPatienceMs: 1000,
  /** Posts of a job that are stored as one batch: a reader of one line decompresses all of it. */
  logJoinedBytes: 128 * 1024,
  /** Posts that a job may send before the first of them is answered, and how long one that overtook another waits. */
  logPostsAtOnce: 8,
  logGapMs: 50,
  /** Jobs that a server need not look up when they come again. */
  knownJobs: 10_000,
  progressBytes: 128 * 1024,
  /** Bounds of a progress report: of its counts, of an address, and of the resources that it names. */
  progressCount: 1_000_000,
  addressLength: 1024,
  resourcesAtWorkShown: 20,
  /** The least time between two notifications of the progress of a run. */
  progressToldMs: 1000,
  logLines: 2_000_000_000,
  logLineBytes: 64 * 1024 + 256,
  /** Text of a phase and of a run, an end for each line; a runner stops before, with room for a notice for each job. */
  logPhaseBytes: 72 * 1024 * 1024,
  logRunBytes: 288 * 1024 * 1024,
  /** Values that the output of a run declares as sensitive. */
  masksPerRun: 100,
  maskBytes: 8 * 1024,
  /** Logs that one server exports at a time, and to one token. */
  logExports: 32,
  logExportsPerToken: 16,

  requestBytes: 1024 * 1024,
  /** Requests of one connection that were sent and not answered. They are served one at a time. */
  pipelinedRequests: 32,
  /** A connection is closed whose client reads nothing of an answer for so long. */
  answerStallMs: 2 * 60_000,
  queryDepth: 15,
  queryFields: 1500,
  queryTokens: 5000,
  queryAliases: 60,
  subscriptionsPerSocket: 100,
  webSocketMessageBytes: 256 * 1024,
  /** Figures for scrapers are this old at most, and may take this long. */
  figuresMaxAgeMs: 5000,
  figuresStatementMs: 2000,

  /** Scripts that wait for a run by GET /runs/<id>/wait, on one server. */
  runWaits: 1000,
  runWaitsPerToken: 100,
  runWaitDefaultS: 30,
  runWaitMaxS: 60,

  webhooksPerOrganization: 100,
  webhookUrlLength: 2000,
  webhookAttemptsShown: 50,
  /** A replaced secret signs for so long beside the new one. */
  webhookFormerSecretMs: 24 * 60 * 60 * 1000,
  webhookPollMs: 5000,
  webhookSweepMs: 10 * 60 * 1000,
  webhookSweepRows: 500,
  webhookDeliveryKeptMs: 30 * 24 * 60 * 60 * 1000,
  /** Ten attempts over about a day. */
  webhookDelivery: {
    connectMs: 5000,
    totalMs: 15_000,
    answerBytes: 64 * 1024,
    excerptLength: 1000,
    atOnce: 10,
    atOnceEach: 2,
    retryMs: [5000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000],
  },
  statisticsDays: 366,

  /** Runs of one operation on many. */
  bulkRuns: 10_000,
  /** Operations that are gone round at a time. */
  bulkAtOnce: 100,
  bulkPollMs: 2_000,
  /** After its end an operation and what came of each of its runs can be read for so long. */
  bulkKeptMs: 90 * 24 * 60 * 60 * 1000,

  streamPageEvents: 100,
  /** A reader that never reads holds about twice as much: 1,000 of them must cost less than 200 MiB. */
  streamPageBytes: 64 * 1024,
  streamPollMs: 5000,
  /** Feeds that are read together, and how often at the same time. */
  feedsOfLook: 50,
  feedLooksAtOnce: 2,
  /** A read that takes so long no longer holds up the others: a connection may hang. */
  feedLookPatienceMs: 1000,
  checkpointMs: 60_000,
  tokenCheckMs: 60_000,
} as const;
