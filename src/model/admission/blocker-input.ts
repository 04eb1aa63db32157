import type { DispatchEntry } from "./eligibility.ts";
import type { Run } from "../run/run.ts";
import type { NamedLock } from "../workspace/lock-text.ts";

/** The runners that may take a run, and the pool and labels that its workspace asks for. */
export interface RunnerSupply {
  /** The name of the workspace's pool; `null` if it names none. */
  pool: string | null;
  labels: readonly string[];
  /** Recent runners that are not revoked, by state: taking work, draining, offline. */
  present: number;
  draining: number;
  offline: number;
  /** When the last of the draining runners was asked to drain. */
  drainingSince: string | null;
  /** When the last of the offline runners sent a request. */
  offlineSince: string | null;
}

export interface OtherRun {
  id: string;
  number: number;
  since: string;
}

/** The data from which the blockers of a waiting run are described. */
export interface BlockerInput {
  run: Pick<Run, "kind" | "status" | "statusAt" | "scheduledAt" | "applyAt"> &
    Partial<Pick<Run, "cause" | "awaitsUpstream" | "awaitedCheck">>;
  /** The first run that it waits for in its changeset; `null` if there is none, or it does not exist yet. */
  upstream: OtherRun | null;
  workspace: {
    lock: NamedLock | null;
    /** The run that holds the workspace, if it is another one. */
    holder: OtherRun | null;
    /** The run that gets the workspace before this one, if no run holds it. */
    ahead: OtherRun | null;
    /** The position of this run among those that want the workspace, from 1. */
    position: number;
  };
  /** The run's row in the dispatch table; `null` if it is not offered to runners. */
  place: (DispatchEntry & { position: number }) | null;
  /** `promised`: the runs that are offered and wait for a runner. */
  organization: { busy: number; promised: number; limit: number };
  /** The runners that may take the run. */
  runners: RunnerSupply;
  /** Median durations of runs of the workspace and of jobs of the organization; `null` if too few for an estimate. */
  history: { holdMs: number | null; jobMs: number | null };
}
