import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { standingLock } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listExpiredLocks, lockWorkspaceRow, setWorkspaceLock } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

const AT_ONCE = 100;

/** Takes away locks that have expired, and lets in what waited for that; gives how many. */
export async function expireLocks(deps: Deps): Promise<number> {
  const expired = await listExpiredLocks(deps.database, deps.clock().toISOString(), AT_ONCE);
  for (const workspaceId of expired) {
    // One that cannot be taken away must not keep the others from being so.
    await deps.database
      .transaction((tx) => expire(tx, deps, workspaceId))
      .catch((error: unknown) => deps.reportError(error, `ending the lock of ${workspaceId}`));
  }
  return expired.length;
}

async function expire(tx: Transaction, deps: Deps, workspaceId: string): Promise<void> {
  const workspace = await lockWorkspaceRow(tx, workspaceId);
  // It may have been given more time, or taken away, in between.
  if (workspace.lock === null || standingLock(workspace.lock, deps.clock().toISOString()) !== null) return;
  await setWorkspaceLock(tx, workspaceId, null);
  await recordWorkspaceChange(tx, deps, workspace, SYSTEM_ACTOR_ID, ["lock"]);
  await settleWorkspace(tx, deps, workspaceId);
}
