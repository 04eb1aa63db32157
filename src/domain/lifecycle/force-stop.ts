import type { Reader } from "../../persistence/database/database.ts";
import { findFirstRefusals } from "../../persistence/organization/rejected-command-store.ts";
import type { LockedRun } from "./machine-input.ts";
import { refusalCounts, withRefusal } from "./stop-request.ts";

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
  return subjects.map((subject) => withRefusal(subject, first.get(subject.run.id) ?? null));
}
