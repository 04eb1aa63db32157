/** Finds when a stop of a run was first requested, on which the time for a forced stop depends. */
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findFirstRefusals } from "../../persistence/organization/rejected-command-store.ts";
import type { LockedRun } from "./locked-run.ts";

/** Whether an earlier refused cancel counts: the workspace now allows interrupts, but did not then. */
function refusalCounts({ run, workspace }: Pick<LockedRun, "run" | "workspace">): boolean {
  return workspace.interruptApply && STATUS_TRAITS[run.status].changesInfrastructure;
}

/**
 * Returns the subjects with a refused cancel as their request for a stop, if it came first. Only refusals since the
 * apply began count.
 */
export async function withRefusedCancels<Subject extends Pick<LockedRun, "run" | "workspace">>(
  reader: Reader,
  subjects: readonly Subject[],
): Promise<Subject[]> {
  const asked = subjects.filter(refusalCounts).map(({ run }) => run.id);
  if (asked.length === 0) return [...subjects];
  const refusals = await findFirstRefusals(reader, "cancelRun", asked);
  const first = new Map(asked.map((id, index) => [id, refusals[index] ?? null]));
  return subjects.map((subject) => {
    const at = first.get(subject.run.id) ?? null;
    const { cancelRequest } = subject.run;
    if (at === null || (cancelRequest !== null && cancelRequest.at <= at)) return subject;
    const actorId = cancelRequest?.actorId ?? subject.run.createdById;
    return { ...subject, run: { ...subject.run, cancelRequest: { actorId, at } } };
  });
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
  return new Date(Date.parse(cancelRequest.at) + rules.limits.forceStopAfterMs).toISOString();
}
