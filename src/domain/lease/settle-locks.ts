import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import type { JobRow } from "../../persistence/dispatch/job-store.ts";
import { releaseStateLock } from "../../persistence/state/state-store.ts";
import { setWorkspaceLock } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import type { LockedRun } from "../lifecycle/locked-run.ts";
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
  // A lost UNLOCK: the lock must keep naming the apply that it belongs to.
  if (workspace.lock?.reason === "APPLY_INTERRUPTED") return;
  // Replaces a person's lock, which could be removed unchecked or expire. The note is kept.
  const since = deps.clock().toISOString();
  const { actorId, note } = workspace.lock ?? { actorId: null, note: null };
  const lock = { reason: "APPLY_INTERRUPTED", runId: run.id, actorId, note, since, expiresAt: null } as const;
  await setWorkspaceLock(tx, workspace.id, lock);
  await recordWorkspaceChange(tx, deps, workspace, SYSTEM_ACTOR_ID, ["lock"]);
}
