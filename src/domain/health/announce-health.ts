/** Webhooks for changes of the health of workspaces. */
import { HEALTH_LIMITS } from "../../model/health/health-limits.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { listHealthAnnouncements, lockHealth, updateHealth } from "../../persistence/health/health-store.ts";
import type { Deps } from "../kit/deps.ts";
import { enqueueHealthWebhooks } from "../lifecycle/enqueue-webhooks.ts";

/**
 * Queues the webhooks of workspaces whose health changed a while ago. One that is again as it was announced last has none: a short
 * change is no message.
 */
export async function announceHealth(deps: Pick<Deps, "database" | "clock" | "newId" | "webhooks">): Promise<number> {
  const due = await listHealthAnnouncements(deps.database, deps.clock().toISOString(), HEALTH_LIMITS.roundRows);
  for (const workspaceId of due) await deps.database.transaction((tx) => announce(tx, deps, workspaceId));
  return due.length;
}

async function announce(
  tx: Transaction,
  deps: Pick<Deps, "clock" | "newId" | "webhooks">,
  workspaceId: string,
): Promise<void> {
  const [locked] = await lockHealth(tx, [workspaceId]);
  if (locked === undefined || locked.announceAt === null || locked.announceAt > deps.clock().toISOString()) return;
  const { announced: from, health: to, reason, since } = locked;
  await updateHealth(tx, { ...locked, announced: to, announceAt: null });
  if (from !== to) await enqueueHealthWebhooks(tx, deps, locked, { from, to, reason, since });
}
