/** Decides when a stop of a run was first requested, on which the time for a forced stop depends. */
import { instantAfter } from "../../model/kit/instant-after.ts";
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { LockedRun } from "./machine-input.ts";

/** Whether an earlier refused cancel counts: the workspace now allows interrupts, but did not then. */
export function refusalCounts({ run, workspace }: Pick<LockedRun, "run" | "workspace">): boolean {
  return workspace.interruptApply && STATUS_TRAITS[run.status].changesInfrastructure;
}

/** Returns the subject with a refused cancel as its request for a stop, if the refusal came first. */
export function withRefusal<Subject extends Pick<LockedRun, "run">>(
  subject: Subject,
  refusedAt: string | null,
): Subject {
  const { cancelRequest } = subject.run;
  if (refusedAt === null || (cancelRequest !== null && cancelRequest.at <= refusedAt)) return subject;
  const actorId = cancelRequest?.actorId ?? subject.run.createdById;
  return { ...subject, run: { ...subject.run, cancelRequest: { actorId, at: refusedAt } } };
}

/**
 * Returns from when a cancel with force ends the run; `null` without a request for a stop, or if force is not allowed.
 */
export function forceAllowedAt({
  run,
  workspace,
  rules,
}: Pick<LockedRun, "run" | "workspace" | "rules">): string | null {
  const { cancelRequest, status } = run;
  const applying = STATUS_TRAITS[status].changesInfrastructure;
  if (cancelRequest === null || (applying && !workspace.interruptApply)) return null;
  return instantAfter(cancelRequest.at, rules.limits.forceStopAfterMs);
}
