/** The bounds of git hosts, their repositories and hooks. Durations in milliseconds, sizes in bytes. */
export const REPOSITORY_LIMITS = {
  gitHostsPerOrganization: 100,
  repositoriesPerOrganization: 1000,
  gitCredentialLength: 2000,
  gitKeyLength: 20_000,
  /** The time of a request of a GitHub App for a token, and the size of the answer. */
  appRequestMs: 10_000,
  appAnswerBytes: 256 * 1024,
  hookSecretLength: { least: 16, most: 200 },
  /** How long a replaced hook secret is accepted beside the new one. */
  formerHookSecretMs: 24 * 60 * 60 * 1000,
  /** The largest delivery: that of GitHub. */
  hookBytes: 25 * 1024 * 1024,
  /** Total size of deliveries in memory. */
  hookBodiesBytes: 200 * 1024 * 1024,
  /** Deliveries of one address that are not authentic. */
  unauthenticHooks: { perMinute: 20, burst: 20 },
  /** Senders of authentic deliveries that are remembered. */
  hookSendersKnown: 10_000,
  /** How long changes of refs are stored that started no runs. */
  refChangeKeptMs: 90 * 24 * 60 * 60 * 1000,
  hintKeptMs: 7 * 24 * 60 * 60 * 1000,
  /** Reading the refs of one repository: the time, the bytes, and reads of one server at a time, and of one host. */
  refReadMs: 30_000,
  refListBytes: 16 * 1024 * 1024,
  refReadsAtOnce: 24,
  refReadsPerHost: 4,
  /** How often due looks are searched for, and the pause between two looks of one repository. */
  lookSearchMs: 1000,
  lookPauseMs: 1000,
  /** How long a look belongs to a server without a sign of it, and how often it gives one. */
  lookLeaseMs: 15_000,
  lookRenewalMs: 5000,
  /** Looks by the clock: until hooks are proven, and then. */
  lookMs: 60_000,
  provenLookMs: 10 * 60 * 1000,
  /** The longest pause after failures; the first is a minute. */
  lookRetryMs: 30 * 60 * 1000,
  /** How long `lookAtRepository` waits. */
  lookWaitMs: 45_000,
  /** Changes that one server decides at a time, those of one host, how long one belongs to it, the first pause after a failure. */
  decisionsAtOnce: 8,
  decisionsPerHost: 2,
  decisionMs: 30_000,
  /** How often a server keeps the changes that it decides. */
  decisionRenewalMs: 10_000,
  /** The highest `Organization.maxRunsPerPush`. */
  maxRunsPerPush: 10_000,
  decisionRetryMs: 15_000,
  /** Commits of earlier runs with which one decision compares paths, and the paths that it names. */
  comparedCommits: 5,
  changedPathsShown: 100,
  /** Explanations and previews: of one request, of one server at a time, and of one token; and the time for one. */
  explanationsPerRequest: 3,
  explanationsAtOnce: 4,
  explanationsPerToken: 1,
  explanationMs: 20_000,
  /** Workspaces of a preview. */
  previewedWorkspaces: 1000,
  /** Repositories of which one server reads the heads at a time, for how long they belong to it, and how often it searches. */
  headsAtOnce: 2,
  headsMs: 60_000,
  headSearchMs: 30_000,
  triggerPatterns: 50,
  triggerPatternLength: 500,
} as const;
