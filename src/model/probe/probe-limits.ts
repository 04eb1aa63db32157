const SECOND = 1000;
const KIB = 1024;

/** The bounds of probes. Durations in milliseconds, sizes in bytes. */
export const PROBE_LIMITS = {
  probesPerWorkspace: 20,
  /** Targets that one probe may have by a list of an output. */
  targetsPerProbe: 20,
  probeNameLength: 63,
  targetLength: 2000,
  commandLength: 8192,
  paths: 10,
  pathLength: 500,
  statuses: 20,
  headers: 20,
  /** Names and values of all headers, before and after templates are filled in. */
  headerBytes: 4 * KIB,
  bodyBytes: 16 * KIB,
  /** A body after templates are filled in. */
  filledBodyBytes: 64 * KIB,
  containedLength: 500,
  /** The sentence with the reason of a failure. */
  reasonLength: 500,
  expressionLength: 2000,
  certificateDays: 365,
  timeoutMs: { least: 100, most: 10 * SECOND },
  intervalSeconds: { least: 10, most: 3600 },
  /** Outputs in the environment of a command: each, and all of them. Linux takes 128 KiB for one variable. */
  command: { outputBytes: 64 * KIB, outputsBytes: 512 * KIB },
  redirects: 5,
  /** How long a test waits for a runner, and how often it looks for the samples. */
  runnerTestMs: 25 * SECOND,
  runnerTestPollMs: 200,
  /** The head of an answer, and the beginning of its body that is read. */
  answerHeadBytes: 4 * KIB,
  answerBytes: 64 * KIB,
  /** CPU time and memory of an expression over one answer. */
  expression: { cpuMs: 250, memoryBytes: 256 * KIB * KIB },
} as const;
