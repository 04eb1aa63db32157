import { type Failure, toFailure } from "../../model/lifecycle/failure.ts";
import { stageOf } from "../../model/lifecycle/failure-stage.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Run } from "../../model/run/run.ts";
import type { Workspace, WorkspaceLock } from "../../model/workspace/workspace.ts";

export function isApplying({ status }: Pick<Run, "status">): boolean {
  return STATUS_TRAITS[status].changesInfrastructure;
}

/**
 * Returns the failure of a run that lost its last runner. `reason`: a clause about the runner, without a full stop.
 * `evidence`: the last lines of its log.
 */
export function lostRunnerFailure(run: Pick<Run, "status" | "attempt">, reason: string, evidence: string[]): Failure {
  const applying = isApplying(run);
  const report = {
    code: "RUNNER_LOST",
    stage: stageOf(run.status),
    summary: applying ? "The runner was lost while it applied." : "The runner was lost on every attempt.",
    message: applying
      ? `${reason} while it changed infrastructure. Its result is not known: check the infrastructure, then unlock the workspace with force.`
      : `${reason}; this was attempt ${run.attempt}.`,
    evidence,
    stateUncertain: applying,
  } as const;
  return toFailure(report, applying);
}

/**
 * Returns the lock of a workspace after an apply whose result is uncertain; `null` if its lock stays. A person's lock is
 * replaced, because it could be removed unchecked or expire. Its note is kept.
 */
export function uncertainLock(runId: string, { lock }: Pick<Workspace, "lock">, since: string): WorkspaceLock | null {
  // A lost UNLOCK: the lock must keep naming the apply that it belongs to.
  if (lock?.reason === "APPLY_INTERRUPTED") return null;
  const { actorId, note } = lock ?? { actorId: null, note: null };
  return { reason: "APPLY_INTERRUPTED", runId, actorId, note, since, expiresAt: null };
}
