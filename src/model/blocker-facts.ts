import type { DispatchPlace } from "./eligibility.ts";
import type { Run } from "./run.ts";
import type { WorkspaceLock } from "./workspace.ts";

export interface OtherRun {
  id: string;
  number: number;
  since: string;
}

/** What is around a waiting run, beside the surroundings that decide whether it is offered to runners. */
export interface BlockerFacts {
  run: Pick<Run, "kind" | "status" | "statusAt" | "scheduledAt" | "applyAt">;
  workspace: {
    lock: Pick<WorkspaceLock, "reason" | "since" | "expiresAt"> | null;
    /** The run that holds the workspace, if it is another one. */
    holder: OtherRun | null;
    /** The run that gets the workspace before this one, where nobody holds it. */
    ahead: OtherRun | null;
    /** Place of this run among those that want the workspace, from 1. */
    position: number;
  };
  /** null: it is not offered to runners. */
  place: (DispatchPlace & { position: number }) | null;
  /** `promised`: places that runs have which wait for a runner. */
  organization: { busy: number; promised: number; limit: number };
  /** When a runner was last heard from, and whether that is recent enough. */
  runners: { present: boolean; lastSeenAt: string | null };
  /** Medians of the runs of the workspace and of the jobs of the organization; null: too few to say. */
  history: { holdMs: number | null; jobMs: number | null };
}
