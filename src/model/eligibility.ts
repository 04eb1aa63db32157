/** What keeps a waiting run from going on, as far as its workspace and the calendar say. */
import type { BlockerKind } from "./blocker.ts";
import type { Run } from "./run.ts";
import { type RunStatus, STATUS_FACTS } from "./run-status.ts";
import type { WorkspaceLockReason } from "./workspace.ts";

export type Obstacle = Extract<BlockerKind, "WORKSPACE_PAUSED" | "WORKSPACE_LOCKED" | "SCHEDULED_AT" | "FREEZE_WINDOW">;

/** The workspace of a waiting run, at an instant. */
export interface Surroundings {
  at: string;
  paused: boolean;
  lock: WorkspaceLockReason | null;
  /** Until when nothing may be applied; null: no window is open. */
  frozenUntil: string | null;
}

type WaitingRun = Pick<Run, "kind" | "status" | "scheduledAt" | "applyAt">;

/** Everything that is in the way of a run that is QUEUED or waits for a runner, but for other runs and for capacity. */
export function obstaclesOf(run: WaitingRun, around: Surroundings): Obstacle[] {
  const queued = run.status === "QUEUED";
  if (!queued && !STATUS_FACTS[run.status].claimable) return [];
  const approved = run.status === "CONFIRMED";
  const startsAt = queued ? run.scheduledAt : approved ? run.applyAt : null;
  const obstacles: [Obstacle, boolean][] = [
    ["WORKSPACE_PAUSED", around.paused],
    ["WORKSPACE_LOCKED", (queued || approved) && around.lock !== null && !passesLock(run, around.lock)],
    ["SCHEDULED_AT", startsAt !== null && startsAt > around.at],
    ["FREEZE_WINDOW", approved && around.frozenUntil !== null],
  ];
  return obstacles.filter(([, stands]) => stands).map(([kind]) => kind);
}

/** An UNLOCK is what removes the lock of an interrupted apply. */
export function passesLock({ kind }: Pick<Run, "kind">, lock: WorkspaceLockReason): boolean {
  return kind === "UNLOCK" && lock === "APPLY_INTERRUPTED";
}

/** The order of claims: applies and what people wait for at a prompt, then plans, then speculative plans. */
export function dispatchClass(run: Pick<Run, "kind" | "leg"> & { status: RunStatus }): number {
  if (run.kind === "PLAN") return 2;
  return run.leg === "PLAN" || run.leg === "REPLAN" ? 1 : 0;
}
