import type { ActorCaller } from "../../model/people/permission.ts";
import type { Webhook } from "../../model/webhook/webhook.ts";
import { cancelDeliveries } from "../../persistence/webhook/webhook-delivery-store.ts";
import { updateWebhookRow } from "../../persistence/webhook/webhook-store.ts";
import type { Deps } from "../kit/deps.ts";
import { checkTargetUrl } from "../network/target-url.ts";
import { commandWebhook } from "./webhook-command.ts";
import type { UpdateWebhookInput } from "./webhook-domain.ts";
import { checkEvents } from "./webhook-input.ts";

/** Updates a webhook. Disabling it drops its queued deliveries; a new URL also applies to them. */
export function updateWebhook(deps: Deps, caller: ActorCaller, input: UpdateWebhookInput): Promise<Webhook> {
  const { webhookId, url, events, description, enabled } = input;
  const spec = {
    name: "updateWebhook",
    webhookId,
    check: (check) => {
      check.require(url !== null, "url", "cannot be cleared.");
      check.require(events !== null, "events", "cannot be cleared.");
      check.require(enabled !== null, "enabled", "cannot be cleared.");
      if (typeof url === "string") checkTargetUrl(check, url, deps.webhookAllow);
      if (Array.isArray(events)) checkEvents(check, events);
      check.text("description", description ?? null);
    },
  } satisfies Parameters<typeof commandWebhook>[2];
  return commandWebhook(deps, caller, spec, async (tx, before) => {
    const after: Webhook = {
      ...before,
      url: url ?? before.url,
      events: [...new Set(events ?? before.events)],
      description: description === undefined ? before.description : description,
      enabled: enabled ?? before.enabled,
      goneAt: enabled === true ? null : before.goneAt,
    };
    await updateWebhookRow(tx, webhookId, after);
    if (before.enabled && !after.enabled) await cancelDeliveries(tx, webhookId, deps.clock().toISOString());
    return after;
  });
}
