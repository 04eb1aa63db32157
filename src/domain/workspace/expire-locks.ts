import { SYSTEM_ACTOR_ID } from "../../model/people/actor.ts";
import { unexpiredLock } from "../../model/workspace/workspace.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listExpiredLocks, setWorkspaceLock } from "../../persistence/workspace/workspace-lock-store.ts";
import { lockWorkspaceRow } from "../../persistence/workspace/workspace-store.ts";
import type { Deps } from "../kit/deps.ts";
import { settleWorkspace } from "../lifecycle/settle-workspace.ts";
import { recordWorkspaceChange } from "../lifecycle/record-workspace-change.ts";

const AT_ONCE = 100;

/** Removes expired locks and admits the runs that waited for it; returns the number of locks. */
export async function expireLocks(deps: Deps): Promise<number> {
  const expired = await listExpiredLocks(deps.database, deps.clock().toISOString(), AT_ONCE);
  for (const workspaceId of expired) {
    // A lock that cannot be removed must not block the others.
    await deps.database
      .transaction((tx) => expire(tx, deps, workspaceId))
      .catch((error: unknown) => deps.reportError(error, `ending the lock of ${workspaceId}`));
  }
  return expired.length;
}

async function expire(tx: Transaction, deps: Deps, workspaceId: string): Promise<void> {
  const workspace = await lockWorkspaceRow(tx, workspaceId);
  // The lock may have been extended or removed in between.
  if (workspace.lock === null || unexpiredLock(workspace.lock, deps.clock().toISOString()) !== null) return;
  await setWorkspaceLock(tx, workspaceId, null);
  await recordWorkspaceChange(tx, deps, workspace, SYSTEM_ACTOR_ID, ["lock"]);
  await settleWorkspace(tx, deps, workspaceId);
}
