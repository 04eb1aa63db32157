import { DOCUMENT_LIMITS } from "./document-limits.ts";
import { DRIFT_LIMITS } from "./drift-limits.ts";
import { SCHEDULE_LIMITS } from "./schedule-limits.ts";
import { PEOPLE_LIMITS } from "./people-limits.ts";
import { CHECK_BLOCK_LIMITS } from "./check-block-limits.ts";
import { CHECK_LIMITS } from "./check-limits.ts";
import { FAILURE_LIMITS } from "./failure-limits.ts";
import { PLAN_LIMITS } from "./plan-limits.ts";
import { POLICY_LIMITS } from "./policy-limits.ts";
import { REPOSITORY_LIMITS } from "./repository-limits.ts";
import { SCAN_LIMITS } from "./scan-limits.ts";
import { STATE_LIMITS } from "./state-limits.ts";
import { SEARCH_LIMITS } from "./search-limits.ts";
import { TEST_LIMITS } from "./test-limits.ts";

/** Every bound of the product in one place. Durations in milliseconds, sizes in bytes. */
export const LIMITS = {
  heartbeatMs: 10_000,
  reaperMs: 2_000,
  /** A pause between the rounds of leased work. */
  leasedPauseMs: 50,
  lockExpiryMs: 2_000,
  schedulerMs: 2_000,
  timekeeperMs: 2_000,
  /** Runs that one round checks. */
  alarmsPerRound: 500,
  /** The pause before a run whose check failed is checked again. */
  alarmRetryMs: 60_000,
  /** The time for a runner to end its work when a limit is exceeded: SIGINT, the engine's grace, the last state and log. */
  timeoutGraceMs: 120_000,
  /** Speculative runs of a workspace that are admitted at once; the end of each admits the next. */
  admissionsAtOnce: 100,
  /** Runs of a workspace, the first in line, whose blockers are recorded at once. */
  blockersReported: 10,
  /** Runs whose blockers a round of the scheduler records, over all workspaces, and the workspaces that it settles. */
  blockersReportedByRound: 100,
  workspacesSettledByRound: 100,
  /** Waiting runs that a round checks for changes of the calendar. */
  waitingRunsByRound: 5000,
  /** Keys of concurrent requests that one statement reads. */
  keysPerRead: 250,
  /** Callers whose compiled rights are remembered; one takes some 2 KB. */
  knownRights: 20_000,
  /** First pages of lists in one read. Their phases, 20 per run, are one read as well. */
  pagesPerRead: 12,
  /** Places whose runs are read each by its index, for a caller who may see no more; beyond them the list is walked. */
  placesPerRead: 500,
  workspacesPerRead: 200,
  idempotencyKeyMs: 24 * 60 * 60 * 1000,
  /** A runner is OFFLINE after this time without a request, and earlier if its lease has run out. */
  runnerOfflineMs: 60_000,
  /**
   * The interval at which a runner with a free slot asks for work, at least. A runner that does not is busy or gone.
   */
  runnerPollMs: 15_000,
  /** Runners without a request for this long no longer count as able to take a run. */
  runnerForgottenMs: 7 * 24 * 60 * 60 * 1000,
  runnerLabels: 20,
  /** Runs of an organization whose reachability is updated at once, and the steps of a round. */
  reachabilityAtOnce: 5000,
  reachabilitySteps: 10,
  runnerSlots: 1000,
  runnerPoolsPerOrganization: 100,
  projectsPerOrganization: 1000,
  teamsPerOrganization: 1000,
  rolesPerOrganization: 100,
  grantsPerScope: 1000,
  scopesPerToken: 100,
  /** Tokens that are not valid, of one address. */
  invalidTokens: { perMinute: 600, burst: 300 },
  addressesKnown: 10_000,
  /** Credentials and organizations whose points are remembered. */
  callersKnown: 20_000,
  /** Digests of tokens that have no points at the moment. */
  refusedTokensKnown: 10_000,
  /** The interval in which the load of a server is sampled, and the delay of a timer that counts as overload. */
  loadSampleMs: 250,
  loopDelayMs: 100,
  /** The time after which a caller that was refused for the load may try again. */
  shedRetryMs: 2000,
  /** The points of an organization that are available at once, as a multiple of those of a credential. */
  organizationBurst: 4,
  ...PEOPLE_LIMITS,
  runnerTokensPerPool: 100,
  claimWaitMs: 25_000,
  /** Kinds of waiting runners of which one checks at once whether capacity could move to its work. */
  kindsWokenAtOnce: 100,

  pageSize: 100,
  logPageSize: 5000,
  defaultPageSize: 20,

  nameLength: 90,
  textLength: 10_000,
  keyLength: 255,
  variableBytes: 256 * 1024,
  variablesPerWorkspace: 500,
  labelsPerWorkspace: 20,
  /** Workspaces that a label may select for one command. */
  workspacesSelected: 2000,
  hooksPerWorkspace: 20,
  dependenciesPerWorkspace: 50,
  /** Outputs of other workspaces that are variables of one workspace. */
  outputReferencesPerWorkspace: 200,
  hookCommandLength: 8192,
  formerSecretsPerWorkspace: 200,
  targetsPerRun: 500,
  metadataEntries: 50,
  metadataKeyLength: 100,
  metadataValueLength: 1000,
  /** The highest priority of a run; the lowest is its negative. */
  priority: 100,
  nodesPerRequest: 100,
  changePageBytes: 4 * 1024 * 1024,
  slugLength: 63,
  concurrencyLimit: 1000,
  approvalRules: 20,
  approversPerRule: 50,
  /** Entries of a list in the condition of an approval rule, and the highest cost that it names. */
  conditionEntries: 50,
  conditionCost: 1_000_000_000,
  /** The number of possible approvers that are read, and of those that are shown. */
  approversRead: 1000,
  eligibleActorsShown: 50,
  peopleCounted: 100_000,
  freezeWindows: 20,
  freezeWindowMinutes: 366 * 24 * 60,

  sourceBytes: 100 * 1024 * 1024,
  sourceFiles: 20_000,
  /** The largest ratio of unpacked to packed size, past `sourceRatioFromBytes`. */
  sourceRatio: 200,
  sourceRatioFromBytes: 8 * 1024 * 1024,
  uploadKeptMs: 24 * 60 * 60 * 1000,
  uploadSweepMs: 60 * 60 * 1000,
  /** Uploads and states of people in memory at a time, in total and per token; others wait. */
  transfersAtOnce: 4,
  transfersPerToken: 2,
  /** An upload that sends nothing for this long is ended. */
  transferSilenceMs: 10_000,
  gitMs: 120_000,
  /** The size of the mirror of one repository, and of all mirrors of a server; the longest unused ones are removed. */
  gitBytes: 512 * 1024 * 1024,
  mirrorsBytes: 4 * 1024 * 1024 * 1024,
  /** Packs of a mirror before git makes one of them. */
  mirrorPacks: 50,
  /** Connections of git at a time, sources that are read, those of one host, and archives that are packed. */
  gitAtOnce: 6,
  gitAtOncePerHost: 2,
  gitReadsAtOnce: 200,
  gitReadsPerHost: 64,
  gitPacksAtOnce: 4,
  /** Files of configuration that are scanned for one commit of a repository. */
  scannedFiles: 20_000,
  /** Scans of files are made again after this time. */
  scansKeptMs: 90 * 24 * 60 * 60 * 1000,
  blobPieceBytes: 1024 * 1024,
  /** Pauses between attempts of a request to a bucket, and the time without progress after which one has failed. */
  objectStore: { retryMs: [200, 1000, 4000], silentMs: 30_000 },
  /**
   * The age at which an object without a row is removed, and the time after which an interrupted removal is repeated.
   */
  orphanedObjectMs: 24 * 60 * 60 * 1000,
  orphanedObjectStuckMs: 10 * 60 * 1000,
  orphanedObjectsAtOnce: 100,

  retentionDays: 36_500,
  retentionMs: 10 * 60 * 1000,
  /** The most that one transaction removes: batches of logs or entries of a feed, runs, and bytes of archives. */
  retentionRows: 1000,
  retentionRuns: 100,
  retentionBytes: 256 * 1024 * 1024,
  /** With logs partitioned by month, due rows stay this long, so that their month can be dropped as a whole. */
  logMonthMs: 40 * 24 * 60 * 60 * 1000,
  /** How long a change of log partitions waits for the table: an autovacuum yields after 1 s. */
  logMonthLockMs: 1500,
  logMonthTries: 40,
  logMonthHeads: 5000,
  /**
   * How long a migration waits for a table: longer than an autovacuum takes to yield. Later statements queue behind it.
   */
  migration: { lockMs: 1500, pauseMs: 3000, tries: 60 },
  ...STATE_LIMITS,
  archiveBytes: 512 * 1024 * 1024,
  messageBytes: 64 * 1024 * 1024,
  ...DOCUMENT_LIMITS,
  ...PLAN_LIMITS,
  /** A sender that pauses for this long within a body is disconnected. */
  bodySilenceMs: 10_000,
  /** The bytes and the time for which the rest of a refused body is drained, so that its sender receives the reason. */
  refusedBodyBytes: 256 * 1024 * 1024,
  refusedBodyMs: 5_000,
  /** Total size of runner requests in memory; further senders are asked to retry. */
  bodiesBytes: 1024 * 1024 * 1024,
  /** Heartbeats of a job that are held open at a time; others are answered at once. */
  heartbeatsHeld: 2,
  /** The interval of log messages about runner requests without a valid credential. */
  unauthenticatedLogMs: 60_000,
  /** Engines use a UUID as lineage. */
  lineageLength: 200,
  /** Refused requests of a job that are stored; all of them are counted. */
  refusedPerJob: 100,
  /** Recovered states of a job that are stored. */
  recoveredPerJob: 5,
  recoveredShown: 100,
  logBatchBytes: 512 * 1024,
  /** The jobs whose lines one statement stores, and the wait for a running statement before the next starts. */
  logJobsAtOnce: 32,
  logPatienceMs: 1000,
  /** Posts of a job that are stored as one batch: a reader of one line decompresses all of it. */
  logJoinedBytes: 128 * 1024,
  /** Posts that a job may have in flight, and how long a post that overtook another waits for it. */
  logPostsAtOnce: 8,
  logGapMs: 50,
  /** Jobs that a server keeps in memory after their first request. */
  knownJobs: 10_000,
  progressBytes: 128 * 1024,
  /** Bounds of a progress report: of its counts, of an address, and of the resources that it names. */
  progressCount: 1_000_000,
  addressLength: 1024,
  resourcesAtWorkShown: 20,
  /** The least time between two notifications of the progress of a run. */
  progressEventMs: 1000,
  logLines: 2_000_000_000,
  logLineBytes: 64 * 1024 + 256,
  /**
   * The text of a phase and of a run, with line ends. A runner stops earlier, so that each job has room for a notice.
   */
  logPhaseBytes: 72 * 1024 * 1024,
  logRunBytes: 288 * 1024 * 1024,
  /** Values that the output of a run declares as sensitive. */
  masksPerRun: 100,
  maskBytes: 8 * 1024,
  /** Logs that one server exports at a time, in total and per token. */
  logExports: 32,
  logExportsPerToken: 16,

  requestBytes: 1024 * 1024,
  /** Requests of one connection that were sent and not answered; they are served one at a time. */
  pipelinedRequests: 32,
  /** A connection is closed if its client reads nothing of a response for this long. */
  answerStallMs: 2 * 60_000,
  queryDepth: 15,
  queryFields: 1500,
  queryTokens: 5000,
  queryAliases: 60,
  subscriptionsPerSocket: 100,
  webSocketMessageBytes: 256 * 1024,
  /** The largest age of figures for metrics, and the time limit of their statement. */
  figuresMaxAgeMs: 5000,
  figuresStatementMs: 2000,

  /** Scripts that wait for a run by GET /runs/<id>/wait, on one server. */
  runWaits: 1000,
  runWaitsPerToken: 100,
  runWaitDefaultS: 30,
  runWaitMaxS: 60,

  ...CHECK_LIMITS,
  ...CHECK_BLOCK_LIMITS,
  ...SCAN_LIMITS,
  ...SEARCH_LIMITS,
  ...TEST_LIMITS,
  ...FAILURE_LIMITS,
  ...DRIFT_LIMITS,
  ...REPOSITORY_LIMITS,
  ...POLICY_LIMITS,

  webhooksPerOrganization: 100,
  webhookUrlLength: 2000,
  webhookAttemptsShown: 50,
  /** How long a replaced secret signs beside the new one. */
  webhookFormerSecretMs: 24 * 60 * 60 * 1000,
  webhookPollMs: 5000,
  webhookSweepMs: 10 * 60 * 1000,
  webhookSweepRows: 500,
  webhookDeliveryKeptMs: 30 * 24 * 60 * 60 * 1000,
  /** Ten attempts in about a day. */
  webhookDelivery: {
    connectMs: 5000,
    totalMs: 15_000,
    answerBytes: 64 * 1024,
    excerptLength: 1000,
    atOnce: 10,
    atOnceEach: 2,
    retryMs: [5000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000],
  },

  /** Runs of one operation on many. */
  bulkRuns: 10_000,
  /** Operations and changesets that are executed in turn at a time. */
  bulkAtOnce: 100,
  bulkPollMs: 2_000,
  /** Changesets whose sources are prepared at a time, and those of them whose runs are created. */
  changesetsAtOnce: 16,
  changesetWritesAtOnce: 2,
  /** Runs of a changeset that are created in one transaction. */
  changesetBatch: 50,
  /** Sources of one changeset that are prepared at once, beside those of git, which have limits of their own. */
  changesetSourcesAtOnce: 4,
  changesetPollMs: 5_000,

  pipelinesPerOrganization: 100,
  stagesPerPipeline: 10,
  /** The longest time that a stage waits for: 30 days. */
  soakMinutes: 30 * 24 * 60,
  /** Changesets that are considered for the next stages, and promotions that are due, by round. */
  promotionsByRound: 50,
  /** Changesets between a promotion and the push that it comes from. */
  promotionHops: 20,
  schedulesPerOrganization: 1000,
  inboundHooksPerOrganization: 100,
  workspacesPerInboundHook: 20,
  inboundBytes: 256 * 1024,
  /** Total size of deliveries to inbound hooks in memory: their senders are not known before they have arrived. */
  inboundBodiesBytes: 16 * 1024 * 1024,
  /** The largest age of a signed delivery, and the signatures of one that are compared. */
  inboundToleranceMs: 5 * 60_000,
  inboundSignatures: 10,
  /** Deliveries of one address that prove nothing. */
  inboundFailures: { perMinute: 20, burst: 20 },
  inboundDeliveryKeptMs: 30 * 24 * 60 * 60 * 1000,
  /** The interval in which expired workspaces are looked up, those of one round, and the latest expiry. */
  expiriesMs: 5000,
  expiriesByRound: 100,
  expiryMostMs: 10 * 366 * 24 * 60 * 60 * 1000,
  ...SCHEDULE_LIMITS,

  /** How long an ended operation and its results are stored. */
  bulkKeptMs: 90 * 24 * 60 * 60 * 1000,

  streamPageEvents: 100,
  /** A stalled reader holds about twice as much: 1,000 of them must use less than 200 MiB. */
  streamPageBytes: 64 * 1024,
  streamPollMs: 5000,
  /** Feeds that one statement reads, and concurrent statements. */
  feedsPerRead: 50,
  feedReadsAtOnce: 2,
  /** A read that takes longer no longer delays the others: its connection may hang. */
  feedReadPatienceMs: 1000,
  checkpointMs: 60_000,
  tokenCheckMs: 60_000,
} as const;
