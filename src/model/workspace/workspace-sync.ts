/** Whether a workspace has what the tracked branch has. */
import type { RunOutcome } from "../lifecycle/run-kind.ts";

export const SYNC_STATES = ["AHEAD", "BEHIND", "IN_SYNC", "NEVER_APPLIED", "UNKNOWN"] as const;
export type SyncState = (typeof SYNC_STATES)[number];

/** The newest run that changed something, or found nothing to change. */
export interface AppliedFacts {
  /** `null` if it did not succeed. */
  outcome: RunOutcome | null;
  /** Whether it was limited to targets. */
  isTargeted: boolean;
  /** The digest of its inputs; `null` if its source is no repository. */
  digest: string | null;
  finishedAt: string;
}

/** The inputs at the head of the tracked branch. */
export interface HeadFacts {
  digest: string;
  /** Since when they are these. */
  since: string;
}

export interface SyncFacts {
  /** `null` if there is none. */
  applied: AppliedFacts | null;
  /** `null` if they are not known. */
  head: HeadFacts | null;
}

/** Compares the applied inputs with those of the head. `since`: when both became what they are; `null` if that is not known. */
export function syncOf({ applied, head }: SyncFacts): { state: SyncState; since: string | null } {
  if (applied === null) return { state: "NEVER_APPLIED", since: null };
  if (applied.outcome === "DESTROYED") return { state: "NEVER_APPLIED", since: applied.finishedAt };
  if (head === null || applied.digest === null) return { state: "UNKNOWN", since: null };
  const since = applied.finishedAt > head.since ? applied.finishedAt : head.since;
  const isWhole = !applied.isTargeted && (applied.outcome === "APPLIED" || applied.outcome === "NO_CHANGES");
  return { state: isWhole && applied.digest === head.digest ? "IN_SYNC" : "BEHIND", since };
}
