import { LIMITS } from "../kit/limits.ts";

export const RUNNER_STATES = ["IDLE", "BUSY", "DRAINING", "OFFLINE"] as const;
export type RunnerState = (typeof RUNNER_STATES)[number];

/** The facts that decide the state of a runner. */
export interface RunnerFacts {
  /** When it last asked for work or sent a heartbeat. */
  lastSeenAt: string;
  /** When a lease was last ended that it did not renew; `null` if none ever was. */
  lostAt: string | null;
  /** It reports that it takes no more work. */
  draining: boolean;
  drainRequestedAt: string | null;
  /** The process at work, and the one that is to end; null: none. */
  instance: string;
  cycleInstance: string | null;
  revokedAt: string | null;
  /** How many jobs it works on. */
  jobCount: number;
}

/** Whether it sent a request lately; heartbeats of its jobs count. */
export function isOnline({ lastSeenAt, revokedAt }: Pick<RunnerFacts, "lastSeenAt" | "revokedAt">, at: Date): boolean {
  return revokedAt === null && at.getTime() - Date.parse(lastSeenAt) <= LIMITS.runnerOfflineMs;
}

/** Whether its last lease ran out, and it sent no request since. */
function isLost({ lostAt, lastSeenAt, jobCount }: Pick<RunnerFacts, "lostAt" | "lastSeenAt" | "jobCount">): boolean {
  return jobCount === 0 && lostAt !== null && lastSeenAt < lostAt;
}

/** Whether the process that asks is to end, so that another one takes its place. */
function isCycled({ instance, cycleInstance }: Pick<RunnerFacts, "instance" | "cycleInstance">): boolean {
  return instance === cycleInstance;
}

/** Whether it gets no new work, however much it asks. */
function isDrained(facts: Pick<RunnerFacts, "draining" | "drainRequestedAt">): boolean {
  return facts.draining || facts.drainRequestedAt !== null;
}

export function runnerState(facts: RunnerFacts, at: Date): RunnerState {
  if (!isOnline(facts, at) || isLost(facts)) return "OFFLINE";
  if (isDrained(facts) || isCycled(facts)) return "DRAINING";
  return facts.jobCount > 0 ? "BUSY" : "IDLE";
}
