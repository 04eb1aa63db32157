import type { Webhook } from "../../model/webhook/webhook.ts";
import { deletedSuccess } from "../kit/success.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { WebhookRef } from "../kit/refs.ts";
import { deliverySuccess } from "./webhook-delivery.ts";
import { WebhookEventEnum } from "./webhook-event.ts";

const URL_TEXT =
  "The https or http address that messages are sent to. An internal address is refused unless the server's settings allow it.";
const SECRET = "The secret: `whsec_` and 24 to 64 bytes as base64. If absent, one is generated.";
const SHOWN_ONCE = "The secret with which the target verifies signatures. It is never shown again.";

/** Builds the success type of a command on a webhook, with the webhook after the command. */
function webhookSuccess(description: string): Success<Webhook> {
  return {
    description,
    fields: (t) => ({
      webhook: t.field({ type: WebhookRef, description: "The webhook.", resolve: ({ value }) => value }),
    }),
  };
}

/** Builds the success type of a command that generates a secret. */
function secretSuccess(description: string): Success<{ webhook: Webhook; secret: string }> {
  return {
    description,
    fields: (t) => ({
      webhook: t.field({ type: WebhookRef, description: "The webhook.", resolve: ({ value }) => value.webhook }),
      secret: t.string({ description: SHOWN_ONCE, resolve: ({ value }) => value.secret }),
    }),
  };
}

mutation("createWebhook", {
  description: "Creates a webhook: an address to which events are sent.",
  argument: "The webhook.",
  input: {
    description: "The webhook to create.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization of the webhook." }),
      workspaceId: t.id({
        description:
          "The only workspace whose events are sent. If absent, events of all workspaces of the organization are sent, but for those of isolated projects.",
      }),
      url: t.string({ required: true, description: URL_TEXT }),
      events: t.field({ type: [WebhookEventEnum], required: true, description: "The events to send." }),
      description: t.string({ description: "The purpose of the webhook." }),
      secret: t.string({ description: SECRET }),
    }),
  },
  success: secretSuccess("The webhook was created."),
  run: ({ createWebhook }, caller, { input }) =>
    createWebhook(caller, {
      ...input,
      workspaceId: input.workspaceId ?? null,
      description: input.description ?? null,
      secret: input.secret ?? null,
    }),
});

mutation("updateWebhook", {
  description: "Changes a webhook.",
  argument: "The webhook and its changes.",
  input: {
    description:
      "The changes to a webhook. An absent field is not changed; null clears `description` and is invalid elsewhere.",
    fields: (t) => ({
      webhookId: t.id({ required: true, description: "The webhook to change." }),
      url: t.string({ description: URL_TEXT }),
      events: t.field({ type: [WebhookEventEnum], description: "The events to send." }),
      description: t.string({ description: "The purpose of the webhook." }),
      enabled: t.boolean({ description: "Whether messages are sent. `false` also cancels the pending deliveries." }),
    }),
  },
  success: webhookSuccess("The webhook was changed."),
  run: ({ updateWebhook }, caller, { input }) => updateWebhook(caller, input),
});

mutation("deleteWebhook", {
  description: "Deletes a webhook and cancels its pending deliveries.",
  argument: "The webhook to delete.",
  input: {
    description: "The webhook to delete.",
    fields: (t) => ({ webhookId: t.id({ required: true, description: "The webhook." }) }),
  },
  success: deletedSuccess("The webhook is deleted, and no more messages are sent.", "The id of the webhook."),
  run: ({ deleteWebhook }, caller, { input }) => deleteWebhook(caller, input),
});

mutation("rotateWebhookSecret", {
  description: "Replaces the secret of a webhook.",
  argument: "The webhook whose secret to replace, and how.",
  input: {
    description: "The webhook whose secret to replace.",
    fields: (t) => ({
      webhookId: t.id({ required: true, description: "The webhook." }),
      secret: t.string({ description: SECRET }),
      revokeNow: t.boolean({
        required: true,
        defaultValue: false,
        description: "Whether the old secret stops signing at once. If false, both secrets sign for one day.",
      }),
    }),
  },
  success: secretSuccess("The webhook has a new secret."),
  run: ({ rotateWebhookSecret }, caller, { input }) =>
    rotateWebhookSecret(caller, { ...input, secret: input.secret ?? null }),
});

mutation("testWebhook", {
  description: "Sends a test message to a webhook. Its delivery shows the result.",
  argument: "The webhook to test.",
  input: {
    description: "The webhook to test.",
    fields: (t) => ({ webhookId: t.id({ required: true, description: "The webhook." }) }),
  },
  success: deliverySuccess("A message of type `webhook.test` is being sent."),
  run: ({ testWebhook }, caller, { input }) => testWebhook(caller, input),
});

mutation("redeliverWebhook", {
  description: "Sends a message again under its own id, even if it waits for its next attempt.",
  argument: "The delivery to repeat.",
  input: {
    description: "The delivery to repeat.",
    fields: (t) => ({ deliveryId: t.id({ required: true, description: "The delivery." }) }),
  },
  success: deliverySuccess("The message is being sent again."),
  run: ({ redeliverWebhook }, caller, { input }) => redeliverWebhook(caller, input),
});
