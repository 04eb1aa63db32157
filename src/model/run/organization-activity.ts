/** The live runs of an organization and its places, at one time. */
import type { RunStatus } from "../lifecycle/run-status.ts";

/** The runs of an organization that have not ended, as far as a reader may see them. */
export interface LiveRuns {
  /** Each status that a run has, in the order of the list of statuses. */
  counts: { status: RunStatus; count: number }[];
  /** The run that has waited at its gate for the longest time; `null` if none waits at a gate. */
  oldestAtGateId: string | null;
}

/** The places of an organization, each of which lets one run occupy a runner. */
export interface PlaceUse {
  /** Runs at a runner, and those with a place that wait for one. */
  busy: number;
  limit: number;
  /** Runs that could begin, and have no place. */
  queueLength: number;
  /** The start of the job whose end makes a place free; `null` if no such job is at work. */
  endingSince: string | null;
  /** The median duration of the last jobs; `null` with too few of them. */
  jobMs: number | null;
}

export interface OrganizationActivity extends LiveRuns {
  /** `null` if the reader may not see the figures of the organization. */
  places: { busy: number; queueLength: number; nextFreeAt: string | null } | null;
}

/**
 * Returns when a place is expected to be free (RFC 3339), never in the past; `null` if one is free, or if there is nothing
 * to estimate it by.
 */
export function nextFreeAt({ busy, limit, endingSince, jobMs }: PlaceUse, now: Date): string | null {
  if (busy < limit || endingSince === null || jobMs === null) return null;
  return new Date(Math.max(now.getTime(), Date.parse(endingSince) + jobMs)).toISOString();
}
