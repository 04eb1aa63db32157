/** Decides which conditions of the workspace and the calendar block a waiting run. */
import type { BlockerKind } from "./blocker-kind.ts";
import { LIMITS } from "../kit/limits.ts";
import type { Run } from "../run/run.ts";
import { type RunStatus, STATUS_TRAITS } from "../lifecycle/run-status.ts";
import { isDriftCheck } from "../workspace/drift-settings.ts";
import type { WorkspaceLockReason } from "../workspace/workspace.ts";

export type ObstacleKind = Extract<
  BlockerKind,
  "WORKSPACE_PAUSED" | "WORKSPACE_LOCKED" | "UPSTREAM_RUN" | "SCHEDULED_AT" | "FREEZE_WINDOW" | "CHECK_PENDING"
>;

/** The workspace conditions that decide admission at a given time. */
export interface AdmissionConditions {
  at: string;
  paused: boolean;
  lock: WorkspaceLockReason | null;
  /** The run whose apply was interrupted, if that is the reason of the lock. */
  lockRunId?: string | null;
  /** Until when nothing may be applied; `null` if no window is open. */
  frozenUntil: string | null;
}

type WaitingRun = Pick<Run, "kind" | "status" | "scheduledAt" | "applyAt"> &
  Partial<Pick<Run, "awaitsUpstream" | "awaitedCheck">>;

/** Returns what blocks a run that is QUEUED or waits for a runner, except other runs and shortages. */
export function obstacleKindsOf(run: WaitingRun, conditions: AdmissionConditions): ObstacleKind[] {
  const { queued, claimable, approved } = STATUS_TRAITS[run.status];
  if (!queued && !claimable) return [];
  const startsAt = queued ? run.scheduledAt : approved ? run.applyAt : null;
  const obstacles: [ObstacleKind, boolean][] = [
    ["WORKSPACE_PAUSED", conditions.paused],
    ["WORKSPACE_LOCKED", (queued || approved) && conditions.lock !== null && !passesLock(run, conditions.lock)],
    ["UPSTREAM_RUN", queued && run.awaitsUpstream === true],
    ["SCHEDULED_AT", startsAt !== null && startsAt > conditions.at],
    ["FREEZE_WINDOW", approved && conditions.frozenUntil !== null],
    ["CHECK_PENDING", (run.awaitedCheck ?? null) !== null],
  ];
  return obstacles.filter(([, blocks]) => blocks).map(([kind]) => kind);
}

/** An obstacle of a waiting run, with the run that is its subject. */
export interface Obstacle {
  kind: ObstacleKind | "WORKSPACE_BUSY";
  runId: string | null;
}

/** Returns the obstacles of a run. `before`: the run that holds the workspace or comes first in it; `null` if none. */
export function obstaclesOf(run: WaitingRun, conditions: AdmissionConditions, before: string | null): Obstacle[] {
  const obstacles = obstacleKindsOf(run, conditions).map((kind): Obstacle => {
    return { kind, runId: kind === "WORKSPACE_LOCKED" ? (conditions.lockRunId ?? null) : null };
  });
  return before === null || run.kind === "PLAN" ? obstacles : [...obstacles, { kind: "WORKSPACE_BUSY", runId: before }];
}

/** Blockers of runs that the workspace and the calendar do not block. */
export const SHORTAGES = ["ORGANIZATION_LIMIT", "DRIFT_LIMIT", "NO_RUNNER"] as const satisfies readonly BlockerKind[];
export type Shortage = (typeof SHORTAGES)[number];

/** The row of a run in the dispatch table. */
export interface DispatchEntry {
  /** It counts against the limit of its organization and may be claimed. */
  offered: boolean;
  /** A runner that may take it is online. Always true for a run that every shared runner may take. */
  reachable: boolean;
  /** It is a check for drift without a slot, of a pool that runs as many of them as it may. Absent: no. */
  limited?: boolean;
  /** Since when only capacity and runners are missing. */
  since: string;
}

/** Returns the shortage that blocks a run without obstacles; `null` if a runner is about to take it. */
export function shortageOf(place: DispatchEntry, at: string, runnersPresent: boolean): Shortage | null {
  const { offered, reachable, limited, since } = place;
  if (!reachable) return "NO_RUNNER";
  if (limited) return "DRIFT_LIMIT";
  if (!offered) return "ORGANIZATION_LIMIT";
  const waitedMs = Date.parse(at) - Date.parse(since);
  return runnersPresent && waitedMs <= LIMITS.schedulerMs ? null : "NO_RUNNER";
}

/** Whether the run is not blocked by the lock: an UNLOCK removes the lock of an interrupted apply. */
function passesLock({ kind }: Pick<Run, "kind">, lock: WorkspaceLockReason): boolean {
  return kind === "UNLOCK" && lock === "APPLY_INTERRUPTED";
}

/**
 * Returns the class of a run in the order of claims: applies and other interactive work, then plans, then speculative
 * plans, then checks for drift.
 */
export function dispatchClass(run: Pick<Run, "kind" | "leg" | "trigger"> & { status: RunStatus }): number {
  if (isDriftCheck(run)) return 3;
  if (run.kind === "PLAN") return 2;
  return run.leg === "PLAN" || run.leg === "REPLAN" ? 1 : 0;
}
