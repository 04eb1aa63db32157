import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { JobRow } from "../../persistence/dispatch/job-store.ts";
import { releaseStateLock } from "../../persistence/state/state-store.ts";
import { setWorkspaceLock } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { LockedRun } from "../lifecycle/locked-run.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

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
  // A run that was to remove such a lock and got lost: whose apply it was is still to be known.
  if (workspace.lock?.reason === "APPLY_INTERRUPTED") return;
  // Over a person's lock, which that person could take away unchecked, or which ends by itself. The note is kept.
  const since = deps.clock().toISOString();
  const { actorId, note } = workspace.lock ?? { actorId: null, note: null };
  const lock = { reason: "APPLY_INTERRUPTED", runId: run.id, actorId, note, since, expiresAt: null } as const;
  await setWorkspaceLock(tx, workspace.id, lock);
  await recordWorkspaceChange(tx, deps, workspace, SYSTEM_ACTOR_ID, ["lock"]);
}
