import type { Run } from "../../model/run/run.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { countCreationWarnings } from "../../persistence/policy/result-store.ts";
import type { RunChanges } from "../../persistence/run/run-change-store.ts";

/**
 * Returns the columns of a run with a new plan, which is not judged yet: it has the warnings about the run itself alone. Without
 * warnings, this costs no statement.
 */
export async function unjudgedPlan(
  tx: Transaction,
  { id, policyWarnings }: Run,
): Promise<Pick<RunChanges, "policyAsks" | "judged"> & { policyWarnings: number }> {
  const warnings = policyWarnings === 0 ? 0 : await countCreationWarnings(tx, id);
  return { policyWarnings: warnings, policyAsks: false, judged: null };
}
