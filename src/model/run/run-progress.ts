/** The progress of the engine with the resources of a run. */
import { isTerminal, type RunStatus } from "../lifecycle/run-status.ts";

/** The phases in which the engine works on resources. */
export const PROGRESS_PHASES = ["PLAN", "APPLY", "DESTROY"] as const;
export type ProgressPhase = (typeof PROGRESS_PHASES)[number];

/** The engine's action on a resource. OTHER: an unknown action. */
export const PROGRESS_ACTIONS = ["REFRESH", "READ", "CREATE", "UPDATE", "DELETE", "OTHER"] as const;
export type ProgressAction = (typeof PROGRESS_ACTIONS)[number];

/** A resource that is being worked on. */
export interface ResourceInProgress {
  /** Masked. */
  address: string;
  action: ProgressAction;
  startedAt: string;
}

/** Progress as a runner reports it. A replaced resource counts once. */
export interface ResourceProgress {
  /** The number of resources to work on; `null` if not known. */
  total: number | null;
  done: number;
  failed: number;
  /** The first of the resources in progress. */
  current: ResourceInProgress[];
  currentCount: number;
}

/** The stored progress with its job and sequence. */
export interface RunProgress extends ResourceProgress {
  phase: ProgressPhase;
  updatedAt: string;
}

/** The data from which the end of a phase is estimated. */
export interface ProgressHistory {
  /** When the phase began. */
  startedAt: string;
  /** Earlier successful phases of the kind in the workspace, newest first. `total` is `null` if it was not counted. */
  earlier: readonly { ms: number; total: number | null }[];
}

/** The number of earlier phases that an estimate needs. */
const ESTIMATE_FROM_PHASES = 5;
/** The number of the newest phases that are read. */
export const ESTIMATE_BY_PHASES = 20;

/** Returns progress for display: after the end of the phase no resource is in progress. */
export function shownProgress(progress: RunProgress, status: RunStatus, applied: boolean): RunProgress {
  if (isInProgress(progress.phase, status)) return progress;
  const done = applied && progress.phase !== "PLAN" ? (progress.total ?? progress.done) : progress.done;
  return { ...progress, done, current: [], currentCount: 0 };
}

/** Whether a run in this status is still in the phase of its progress. */
export function isInProgress(phase: ProgressPhase, status: RunStatus): boolean {
  return !isTerminal(status) && status === (phase === "PLAN" ? "PLANNING" : "APPLYING");
}

/**
 * Estimates the end of a phase (RFC 3339): by the time per resource if enough earlier phases counted theirs, else by
 * their whole duration. Never in the past. `null` if there is too little history.
 */
export function estimatedEnd(
  progress: Pick<ResourceProgress, "total" | "done" | "failed">,
  { startedAt, earlier }: ProgressHistory,
  at: string,
): string | null {
  const nowMs = Date.parse(at);
  const counted = earlier.flatMap(({ ms, total }) => (total === null || total === 0 ? [] : [ms / total]));
  if (progress.total !== null && progress.total > 0 && counted.length >= ESTIMATE_FROM_PHASES) {
    const rest = Math.max(0, progress.total - progress.done - progress.failed);
    return new Date(nowMs + Math.round(rest * median(counted))).toISOString();
  }
  if (earlier.length < ESTIMATE_FROM_PHASES) return null;
  const endMs = Date.parse(startedAt) + Math.round(median(earlier.map(({ ms }) => ms)));
  return new Date(Math.max(nowMs, endMs)).toISOString();
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = 0, high = 0] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}
