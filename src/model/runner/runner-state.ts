import { LIMITS } from "../kit/limits.ts";

export const RUNNER_STATES = ["IDLE", "BUSY", "DRAINING", "OFFLINE"] as const;
export type RunnerState = (typeof RUNNER_STATES)[number];

/** The fields of a runner that decide its state. */
export interface RunnerActivity {
  /** When it last sent a request or a heartbeat. */
  lastSeenAt: string;
  /** When its latest lost lease was ended; `null` if none was. */
  lostAt: string | null;
  /** The runner reports that it takes no more work. */
  draining: boolean;
  drainRequestedAt: string | null;
  /** The current process, and the one that must exit; `null` if none. */
  instance: string;
  cycleInstance: string | null;
  revokedAt: string | null;
  /** How many jobs it works on. */
  jobCount: number;
}

/** Whether the runner sent a request recently; heartbeats of its jobs count. */
export function isOnline(
  { lastSeenAt, revokedAt }: Pick<RunnerActivity, "lastSeenAt" | "revokedAt">,
  at: Date,
): boolean {
  return revokedAt === null && at.getTime() - Date.parse(lastSeenAt) <= LIMITS.runnerOfflineMs;
}

/** Whether its last lease ran out and it has sent no request since. */
function isLost({ lostAt, lastSeenAt, jobCount }: Pick<RunnerActivity, "lostAt" | "lastSeenAt" | "jobCount">): boolean {
  return jobCount === 0 && lostAt !== null && lastSeenAt < lostAt;
}

/** Whether the process that asks for work must exit, so that a new one replaces it. */
function isCycled({ instance, cycleInstance }: Pick<RunnerActivity, "instance" | "cycleInstance">): boolean {
  return instance === cycleInstance;
}

/** Whether the runner gets no new work. */
function isDrained(runner: Pick<RunnerActivity, "draining" | "drainRequestedAt">): boolean {
  return runner.draining || runner.drainRequestedAt !== null;
}

export function runnerState(runner: RunnerActivity, at: Date): RunnerState {
  if (!isOnline(runner, at) || isLost(runner)) return "OFFLINE";
  if (isDrained(runner) || isCycled(runner)) return "DRAINING";
  return runner.jobCount > 0 ? "BUSY" : "IDLE";
}
