/** Since when a run that applies has been asked to stop, in vain or not: force waits for that. */
import { STATUS_TRAITS } from "../../model/lifecycle/run-status.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findFirstRefusals } from "../../persistence/organization/rejected-command-store.ts";
import type { LockedRun } from "./locked-run.ts";

/** Where a refused cancel counts: it was refused because the workspace did not allow to interrupt applies then. */
function refusalCounts({ run, workspace }: Pick<LockedRun, "run" | "workspace">): boolean {
  return workspace.interruptApply && STATUS_TRAITS[run.status].changesInfrastructure;
}

/**
 * The same runs as decisions about a cancel see them: the first cancel since they began to apply counts as the request,
 * also where it was refused.
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

/** From when on force ends the run, where a stop was asked for; null where force has no place. */
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
