import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { JobRow } from "../../persistence/dispatch/job-store.ts";
import { releaseStateLock } from "../../persistence/state/state-store.ts";
import { setWorkspaceLock } from "../../persistence/workspace/workspace-lock-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { LockedRun } from "../lifecycle/machine-input.ts";
import { uncertainLock } from "./lost-runner.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

/**
 * Releases the state lock at the end of a lease. If the result of an apply is uncertain, keeps it and locks the
 * workspace until a person has checked.
 */
export async function settleLocks(
  tx: Transaction,
  deps: Deps,
  { run, workspace }: LockedRun,
  job: JobRow,
  stateUncertain: boolean,
): Promise<void> {
  if (!stateUncertain) {
    await releaseStateLock(tx, workspace.id, job.id);
    return;
  }
  const lock = uncertainLock(run.id, workspace, deps.clock().toISOString());
  if (lock === null) return;
  await setWorkspaceLock(tx, workspace.id, lock);
  await recordWorkspaceChange(tx, deps, workspace, SYSTEM_ACTOR_ID, ["lock"]);
}
