import { LIMITS } from "../../model/kit/limits.ts";
import { isTerminal } from "../../model/lifecycle/run-status.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { isChanging } from "../../persistence/plan/drift-store.ts";
import { listOvertakenChecks, type OvertakenCheck } from "../../persistence/run/superseded-run-store.ts";
import type { Deps } from "../kit/deps.ts";
import { lockForChange } from "../lifecycle/locked-run.ts";
import { endFor } from "../lifecycle/supersede.ts";

/**
 * Ends the checks for drift in whose workspaces an apply has begun: the state moves under them, so what they find would not
 * count, and their runners are free for other work.
 */
export async function stopOvertakenChecks(deps: Deps): Promise<void> {
  for (const check of await listOvertakenChecks(deps.database, LIMITS.overtakenChecksByRound)) {
    await deps.database
      .transaction((tx) => stop(tx, deps, check))
      .catch((error: unknown) => deps.reportError(error, `the check for drift ${check.runId}`));
  }
}

async function stop(tx: Transaction, deps: Deps, { runId, newer }: OvertakenCheck): Promise<void> {
  const locked = await lockForChange(tx, deps, runId);
  if (locked === null || isTerminal(locked.run.status)) return;
  // The apply may have ended without a change of the state.
  if (!(await isChanging(tx, locked.workspace.id))) return;
  const reason = `Run ${newer.number} began to apply, so what this check finds would not count.`;
  await endFor(tx, deps, locked, { newer, reason });
}
