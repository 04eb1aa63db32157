import { LIMITS } from "../../model/kit/limits.ts";
import { pruneDeliveries } from "../../persistence/webhook/webhook-delivery-store.ts";
import type { WebhookJobs } from "../../persistence/webhook/webhook-queue.ts";
import type { Deps } from "../kit/deps.ts";

/**
 * Queues deliveries without a job, which a restored backup has, and deletes old finished ones. Two servers may do so at
 * once: a job is not created twice.
 */
export async function sweepWebhooks(deps: Deps, jobs: WebhookJobs): Promise<void> {
  const { webhookSweepRows, webhookDeliveryKeptMs } = LIMITS;
  const now = deps.clock().getTime();
  for (;;) {
    const lost = await jobs.listLost(deps.database, webhookSweepRows);
    if (lost.length > 0) {
      const due = lost.map(({ nextAttemptAt, ...one }) => ({ ...one, afterMs: Date.parse(nextAttemptAt) - now }));
      await deps.database.transaction((tx) => jobs.enqueue(tx, due));
    }
    if (lost.length < webhookSweepRows) break;
  }
  const before = new Date(now - webhookDeliveryKeptMs).toISOString();
  for (;;) {
    const pruned = await deps.database.transaction((tx) => pruneDeliveries(tx, before, webhookSweepRows));
    if (pruned < webhookSweepRows) break;
  }
}
