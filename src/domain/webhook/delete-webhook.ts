import type { ActorCaller } from "../../model/people/permission.ts";
import { cancelDeliveries } from "../../persistence/webhook/webhook-delivery-store.ts";
import { markWebhookDeleted } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandWebhook } from "./webhook-command.ts";

/** Deletes a webhook. Queued deliveries are dropped. */
export function deleteWebhook(deps: Deps, caller: ActorCaller, input: { webhookId: string }): Promise<string> {
  const { webhookId } = input;
  return commandWebhook(deps, caller, { name: "deleteWebhook", webhookId }, async (tx) => {
    const at = deps.clock().toISOString();
    await markWebhookDeleted(tx, webhookId, at);
    await cancelDeliveries(tx, webhookId, at);
    return webhookId;
  });
}
