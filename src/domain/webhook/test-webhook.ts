import type { ActorCaller } from "../../model/people/permission.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import { TEST_EVENT, type WebhookDelivery } from "../../model/webhook/webhook.ts";
import { findDeliveries } from "../../persistence/webhook/webhook-delivery-store.ts";
import type { Deps } from "../kit/deps.ts";
import { enqueueDeliveries } from "../lifecycle/enqueue-webhooks.ts";
import { commandWebhook } from "./webhook-command.ts";

/** Queues a message of type `webhook.test`, sent like every other one. */
export function testWebhook(deps: Deps, caller: ActorCaller, input: { webhookId: string }): Promise<WebhookDelivery> {
  const { webhookId } = input;
  return commandWebhook(deps, caller, { name: "testWebhook", webhookId }, async (tx, webhook) => {
    if (!webhook.enabled) throw invalidField("webhookId", "is of a webhook that is disabled: enable it first.");
    const { organizationId, workspaceId } = webhook;
    const { id, kind, name } = caller.actor;
    const data = { webhookId, organizationId, workspaceId, actor: { id, kind, name } };
    const [delivery = null] = await findDeliveries(
      tx,
      await enqueueDeliveries(tx, deps, [webhookId], TEST_EVENT, data),
    );
    if (delivery === null) throw new Error(`The test of ${webhookId} is missing.`);
    return delivery;
  });
}
