import type { Transaction } from "../../persistence/database.ts";
import type { JobRow } from "../../persistence/job-store.ts";
import { releaseStateLock } from "../../persistence/state-store.ts";
import { setWorkspaceLock } from "../../persistence/workspace-store.ts";
import type { Deps } from "../deps.ts";
import type { LockedRun } from "../run/run-change.ts";

/**
 * The engine's lock on the state ends with the lease. Where nobody knows how far an apply got it stays, and the
 * workspace is locked until somebody has checked.
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
  // A person's lock stays: it is stricter, and its note is theirs.
  if (workspace.lock !== null) return;
  await setWorkspaceLock(tx, workspace.id, {
    reason: "APPLY_INTERRUPTED",
    runId: run.id,
    actorId: null,
    note: null,
    since: deps.clock().toISOString(),
  });
}
