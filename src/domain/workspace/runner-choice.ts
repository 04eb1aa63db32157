/** Checks and merges the runner pool and the runner labels of a workspace. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { RUNNER_LABEL, RUNNER_LABEL_WORDS } from "../../model/runner/runner.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Workspace } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { holdRunnerPool } from "../../persistence/runner/runner-pool-store.ts";
import type { InputCheck } from "../kit/input.ts";

/** Absent fields stay unchanged; `runnerPoolId`: `null` for no pool. */
export interface RunnerChoice {
  runnerPoolId?: string | null | undefined;
  runnerLabels?: readonly string[] | null | undefined;
}

export function checkRunnerChoice(check: InputCheck, { runnerPoolId = null, runnerLabels }: RunnerChoice): void {
  const known = runnerPoolId === null || idKind(runnerPoolId) === "runnerPool";
  check.require(known, "runnerPoolId", NO_POOL);
  check.require(runnerLabels !== null, "runnerLabels", "cannot be cleared: give an empty list.");
  const labels = runnerLabels ?? [];
  const max = LIMITS.runnerLabels;
  if (labels.length > max) return check.refuse("runnerLabels", `must have at most ${max} labels.`);
  for (const [index, label] of labels.entries()) {
    check.require(RUNNER_LABEL.test(label), `runnerLabels.${index}`, `${RUNNER_LABEL_WORDS}.`);
  }
}

const NO_POOL = "is no runner pool of the organization.";

/** Returns the merged choice. Locks a new pool against deletion until the workspace is written. */
export async function runnerChoiceAfter(
  tx: Transaction,
  organizationId: string,
  before: Pick<Workspace, "runnerPoolId" | "runnerLabels">,
  { runnerPoolId, runnerLabels }: RunnerChoice,
): Promise<Pick<Workspace, "runnerPoolId" | "runnerLabels">> {
  const poolId = runnerPoolId === undefined ? before.runnerPoolId : runnerPoolId;
  if (poolId !== null && poolId !== before.runnerPoolId) {
    const pool = await holdRunnerPool(tx, poolId);
    if (pool?.organizationId !== organizationId) throw invalidField("runnerPoolId", NO_POOL);
  }
  const labels = runnerLabels ?? before.runnerLabels;
  return { runnerPoolId: poolId, runnerLabels: [...new Set(labels)].toSorted() };
}
