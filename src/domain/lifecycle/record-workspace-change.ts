import type { Transaction } from "../../persistence/database/database.ts";
import { appendWorkspaceEvent } from "../../persistence/feed/workspace-event-store.ts";
import type { WorkspaceLock } from "../../model/workspace/workspace.ts";
import { type WebhookDeps, enqueueLockWebhooks } from "./enqueue-webhooks.ts";

/**
 * Records the event of a changed workspace, and queues webhooks if its lock changed. `fields`: names of fields of
 * Workspace, "created" or "deleted". `workspace`: with its previous lock.
 */
export async function recordWorkspaceChange(
  tx: Transaction,
  deps: WebhookDeps,
  workspace: { id: string; organizationId: string; lock?: WorkspaceLock | null },
  actorId: string,
  fields: string[],
): Promise<void> {
  const at = deps.clock().toISOString();
  await appendWorkspaceEvent(tx, workspace.organizationId, { workspaceId: workspace.id, at, actorId, fields });
  // Locks, rules and deletions decide which runs need whom.
  tx.announce("inbox");
  if (!fields.includes("lock")) return;
  const ids = { organizationId: workspace.organizationId, workspaceId: workspace.id };
  await enqueueLockWebhooks(tx, deps, ids, { before: workspace.lock ?? null, actorId });
}
