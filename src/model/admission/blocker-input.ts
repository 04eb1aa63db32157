import type { DispatchPlace } from "./eligibility.ts";
import type { Run } from "../run/run.ts";
import type { NamedLock } from "../workspace/lock-text.ts";

/** The runners that may take a run, and what it asks of them. */
export interface RunnerSupply {
  /** The name of the pool that its workspace names. */
  pool: string | null;
  labels: readonly string[];
  /** Known lately, but for those that were revoked: those that take work, that drain, and that are offline. */
  present: number;
  draining: number;
  offline: number;
  /** When the last of those began to drain that people asked to. */
  drainingSince: string | null;
  /** When the last of the offline runners sent a request. */
  offlineSince: string | null;
}

export interface OtherRun {
  id: string;
  number: number;
  since: string;
}

/** The input about a waiting run from which its blockers are described. */
export interface BlockerInput {
  run: Pick<Run, "kind" | "status" | "statusAt" | "scheduledAt" | "applyAt">;
  workspace: {
    lock: NamedLock | null;
    /** The run that holds the workspace, if it is another one. */
    holder: OtherRun | null;
    /** The run that gets the workspace before this one, if no run holds it. */
    ahead: OtherRun | null;
    /** Place of this run among those that want the workspace, from 1. */
    position: number;
  };
  /** null: it is not offered to runners. */
  place: (DispatchPlace & { position: number }) | null;
  /** `promised`: places that runs have which wait for a runner. */
  organization: { busy: number; promised: number; limit: number };
  /** Those that may take it. */
  runners: RunnerSupply;
  /** Medians of the runs of the workspace and of the jobs of the organization; null: too few for an estimate. */
  history: { holdMs: number | null; jobMs: number | null };
}
