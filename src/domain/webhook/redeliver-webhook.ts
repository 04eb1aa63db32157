import { idKind } from "../../model/kit/id.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Webhook, WebhookDelivery } from "../../model/webhook/webhook.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { findDeliveries, lockDelivery, updateDelivery } from "../../persistence/webhook/webhook-delivery-store.ts";
import { lockWebhook } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { command, type Sees } from "../access/command.ts";
import { WITH_WEBHOOKS } from "./webhook-command.ts";

/** Sends a message again now, with the same id and all its attempts ahead, also if it is still queued. */
export function redeliverWebhook(
  deps: Deps,
  caller: ActorCaller,
  { deliveryId }: { deliveryId: string },
): Promise<WebhookDelivery> {
  const spec = {
    ...WITH_WEBHOOKS,
    name: "redeliverWebhook",
    subjectId: deliveryId,
    noun: "delivery",
    find: (tx: Transaction, sees: Sees) => lock(tx, deliveryId, sees),
    placeOf: ({ webhook }: LockedDelivery) => webhook,
  } as const;
  return command(deps, caller, spec, async (tx, { webhook, delivery }) => {
    if (!webhook.enabled) throw invalidField("deliveryId", "is of a webhook that is disabled: enable it first.");
    const again: WebhookDelivery = {
      ...delivery,
      state: "PENDING",
      turn: delivery.turn + 1,
      roundBegan: delivery.attemptCount,
      nextAttemptAt: deps.clock().toISOString(),
      finishedAt: null,
    };
    await updateDelivery(tx, again);
    await deps.webhooks.enqueue(tx, [{ deliveryId, webhookId: webhook.id, turn: again.turn, afterMs: 0 }]);
    return again;
  });
}

interface LockedDelivery {
  webhook: Webhook;
  delivery: WebhookDelivery;
}

async function lock(tx: Transaction, deliveryId: string, sees: Sees): Promise<LockedDelivery | null> {
  const [found = null] = idKind(deliveryId) === "webhookDelivery" ? await findDeliveries(tx, [deliveryId]) : [];
  const webhook = found === null || !sees(found) ? null : await lockWebhook(tx, found.webhookId);
  const delivery = webhook === null ? null : await lockDelivery(tx, deliveryId);
  return webhook === null || delivery === null ? null : { webhook, delivery };
}
