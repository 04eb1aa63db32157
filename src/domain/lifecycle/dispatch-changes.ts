/** Decides which runs of a workspace a runner may take, and how the dispatch table changes. */
import { type AdmissionConditions, dispatchClass, obstacleKindsOf } from "../../model/admission/eligibility.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { DispatchedRun, WaitingRun } from "../../persistence/run/run-queue-store.ts";

export interface DispatchChanges {
  /** Ids of runs whose row is removed. */
  leave: string[];
  enter: DispatchedRun[];
}

/** Compares the rows of a workspace in the dispatch table with the runs that should have one. */
export function dispatchChanges(
  rows: readonly DispatchedRun[],
  wanted: readonly Run[],
  { runnerPoolId: poolId, runnerLabels: labels }: Pick<Workspace, "runnerPoolId" | "runnerLabels">,
): DispatchChanges {
  const target = wanted.map((run): DispatchedRun => {
    return { runId: run.id, class: dispatchClass(run), priority: run.priority, poolId, labels };
  });
  return {
    leave: rows.filter((row) => !target.some((one) => isSame(one, row))).map(({ runId }) => runId),
    enter: target.filter((one) => !rows.some((row) => isSame(one, row))),
  };
}

/** Whether a run waits for a runner, and nothing else blocks it. */
export function isDispatchable(run: Run, conditions: AdmissionConditions): boolean {
  return STATUS_TRAITS[run.status].claimable && obstacleKindsOf(run, conditions).length === 0;
}

/** Returns the run that comes first: the highest priority, then the lowest number. `null` if there is none. */
export function firstOf(runs: readonly Run[]): Run | null {
  return runs.toSorted((a, b) => b.priority - a.priority || a.number - b.number)[0] ?? null;
}

/**
 * Returns the approved run that is first to take the workspace again; `null` if none can. Applies come before plans. One
 * that is judged before its apply keeps its turn.
 */
export function firstToReturn(waiting: readonly WaitingRun[], conditions: AdmissionConditions): Run | null {
  const approved = waiting.map(({ run }) => run).toSorted((a, b) => dispatchClass(a) - dispatchClass(b));
  return approved.find((run) => isDispatchable({ ...run, awaitedCheck: null }, conditions)) ?? null;
}

function isSame(one: DispatchedRun, other: DispatchedRun): boolean {
  return (
    one.runId === other.runId &&
    one.class === other.class &&
    one.priority === other.priority &&
    one.poolId === other.poolId &&
    one.labels.join(" ") === other.labels.join(" ")
  );
}
