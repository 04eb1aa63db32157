import type { RunOutcome } from "../lifecycle/run-kind.ts";
import type { RunStatus } from "../lifecycle/run-status.ts";

/** How long something took. */
export interface Durations {
  count: number;
  medianMs: number;
  p95Ms: number;
  totalMs: number;
}

/** Figures of the runs of a workspace or an organization that ended within a window. */
export interface Statistics {
  runs: { status: RunStatus; outcome: RunOutcome | null; count: number }[];
  endedCount: number;
  /** Runs that changed infrastructure or state: APPLIED or DESTROYED. */
  appliedCount: number;
  /** The share of FAILED and TIMED_OUT among the runs that change something; `null` if none ended. */
  failureRate: number | null;
  /** From the creation of a run to the end of its apply. */
  leadTime: Durations | null;
  /** The time that runs waited for people, at both gates together. */
  waitAtGates: Durations | null;
  planDuration: Durations | null;
  applyDuration: Durations | null;
}

/** From the first instant, inclusive, to the second one, exclusive. */
export interface StatisticsWindow {
  from: string;
  to: string;
}

/** The most days of a window. An organization has as many runs as all of its workspaces together. */
export const STATISTICS_DAYS = { workspace: 366, organization: 92 } as const;
