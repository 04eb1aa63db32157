import { idKind } from "../../model/kit/id.ts";
import type { TokenCaller } from "../../model/people/permission.ts";
import { invalidField, notFound } from "../../model/kit/user-error.ts";
import type { WebhookDelivery } from "../../model/webhook/webhook.ts";
import { findDeliveries, lockDelivery, updateDelivery } from "../../persistence/webhook/webhook-delivery-store.ts";
import { lockWebhook } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { recorded } from "../kit/guard.ts";
import { authorizeWebhooks } from "./webhook-command.ts";

/** Sends a message once more, now, under its own id and with all tries before it; also one that still waits. */
export function redeliverWebhook(
  deps: Deps,
  caller: TokenCaller,
  { deliveryId }: { deliveryId: string },
): Promise<WebhookDelivery> {
  return recorded(deps, caller, "redeliverWebhook", deliveryId, () =>
    deps.database.transaction(async (tx) => {
      authorizeWebhooks(caller);
      const known = idKind(deliveryId) === "webhookDelivery";
      const [found = null] = known ? await findDeliveries(tx, [deliveryId]) : [];
      const webhook = found === null ? null : await lockWebhook(tx, found.webhookId);
      const delivery = webhook === null ? null : await lockDelivery(tx, deliveryId);
      if (webhook === null || delivery === null) throw notFound("delivery");
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
    }),
  );
}
