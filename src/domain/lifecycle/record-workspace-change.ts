import { changedWorkspaceFields } from "../../model/run/changed-fields.ts";
import type { Run } from "../../model/run/run.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { appendWorkspaceEvent } from "../../persistence/feed/workspace-event-store.ts";
import type { WorkspaceLock } from "../../model/workspace/workspace.ts";
import { type WebhookDeps, enqueueLockWebhooks } from "./enqueue-webhooks.ts";

/**
 * Tells that a workspace changed. `fields`: the names of the fields of Workspace, "created" or "deleted". `workspace`: as
 * it was before, where its lock changed.
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
  if (!fields.includes("lock")) return;
  const place = { organizationId: workspace.organizationId, workspaceId: workspace.id };
  await enqueueLockWebhooks(tx, deps, place, { before: workspace.lock ?? null, actorId });
}

/** Tells what of its workspace a run has moved; `before` is null for a new run. */
export async function recordChangeByRun(
  tx: Transaction,
  deps: WebhookDeps,
  before: Run | null,
  { workspaceId, organizationId, ...after }: Run,
  actorId: string,
): Promise<void> {
  const fields = changedWorkspaceFields(before, after);
  if (fields.length > 0) await recordWorkspaceChange(tx, deps, { id: workspaceId, organizationId }, actorId, fields);
}
