import type { Webhook } from "../../model/webhook/webhook.ts";
import { answer } from "../kit/answer.ts";
import { builder } from "../kit/builder.ts";
import { WebhookRef } from "../kit/refs.ts";
import { ForbiddenErrorRef, InvalidInputErrorRef, NotFoundErrorRef } from "../kit/user-error.ts";
import { deliverySuccess } from "./webhook-delivery.ts";
import { WebhookEventEnum } from "./webhook-event.ts";

const ERRORS = ["InvalidInputError", "NotFoundError", "ForbiddenError"] as const;
const ERROR_REFS = [InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef] as const;
const URL_TEXT =
  "The https or http address that messages are sent to. An internal address is refused unless the server's settings allow it.";
const SECRET = "The secret: `whsec_` and 24 to 64 bytes as base64. If absent, one is generated.";
const SHOWN_ONCE = "The secret with which the target verifies signatures. It is never shown again.";

/** Builds the success type of a command on a webhook, with the webhook after the command. */
function webhookSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; webhook: Webhook }>(name).implement({
    description,
    fields: (t) => ({
      webhook: t.field({ type: WebhookRef, description: "The webhook.", resolve: ({ webhook }) => webhook }),
    }),
  });
}

/** Builds the success type of a command that generates a secret. */
function secretSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; webhook: Webhook; secret: string }>(name).implement({
    description,
    fields: (t) => ({
      webhook: t.field({ type: WebhookRef, description: "The webhook.", resolve: ({ webhook }) => webhook }),
      secret: t.exposeString("secret", { description: SHOWN_ONCE }),
    }),
  });
}

const CreateWebhookInputRef = builder.inputType("CreateWebhookInput", {
  description: "The webhook to create.",
  fields: (t) => ({
    organizationId: t.id({ required: true, description: "The organization of the webhook." }),
    workspaceId: t.id({
      description:
        "The only workspace whose events are sent. If absent, events of all workspaces of the organization are sent.",
    }),
    url: t.string({ required: true, description: URL_TEXT }),
    events: t.field({ type: [WebhookEventEnum], required: true, description: "The events to send." }),
    description: t.string({ description: "The purpose of the webhook." }),
    secret: t.string({ description: SECRET }),
  }),
});
const CreateWebhookSuccessRef = secretSuccess("CreateWebhookSuccess", "The webhook was created.");
const CreateWebhookResultRef = builder.unionType("CreateWebhookResult", {
  description: "The result of `createWebhook`.",
  types: [CreateWebhookSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("createWebhook", (t) =>
  t.field({
    type: CreateWebhookResultRef,
    description: "Creates a webhook: an address to which events are sent.",
    args: { input: t.arg({ type: CreateWebhookInputRef, required: true, description: "The webhook." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "CreateWebhookSuccess" as const,
        ...(await context.domain.createWebhook(context.caller, {
          ...input,
          workspaceId: input.workspaceId ?? null,
          description: input.description ?? null,
          secret: input.secret ?? null,
        })),
      })),
  }),
);

const UpdateWebhookInputRef = builder.inputType("UpdateWebhookInput", {
  description:
    "The changes to a webhook. An absent field is not changed; null clears `description` and is invalid elsewhere.",
  fields: (t) => ({
    webhookId: t.id({ required: true, description: "The webhook to change." }),
    url: t.string({ description: URL_TEXT }),
    events: t.field({ type: [WebhookEventEnum], description: "The events to send." }),
    description: t.string({ description: "The purpose of the webhook." }),
    enabled: t.boolean({ description: "Whether messages are sent. `false` also cancels the pending deliveries." }),
  }),
});
const UpdateWebhookSuccessRef = webhookSuccess("UpdateWebhookSuccess", "The webhook was changed.");
const UpdateWebhookResultRef = builder.unionType("UpdateWebhookResult", {
  description: "The result of `updateWebhook`.",
  types: [UpdateWebhookSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("updateWebhook", (t) =>
  t.field({
    type: UpdateWebhookResultRef,
    description: "Changes a webhook.",
    args: {
      input: t.arg({ type: UpdateWebhookInputRef, required: true, description: "The webhook and its changes." }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "UpdateWebhookSuccess" as const,
        webhook: await context.domain.updateWebhook(context.caller, input),
      })),
  }),
);

const DeleteWebhookInputRef = builder.inputType("DeleteWebhookInput", {
  description: "The webhook to delete.",
  fields: (t) => ({ webhookId: t.id({ required: true, description: "The webhook." }) }),
});
const DeleteWebhookSuccessRef = builder
  .objectRef<{ type: "DeleteWebhookSuccess"; deletedId: string }>("DeleteWebhookSuccess")
  .implement({
    description: "The webhook is deleted, and no more messages are sent.",
    fields: (t) => ({ deletedId: t.exposeID("deletedId", { description: "The id of the webhook." }) }),
  });
const DeleteWebhookResultRef = builder.unionType("DeleteWebhookResult", {
  description: "The result of `deleteWebhook`.",
  types: [DeleteWebhookSuccessRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("deleteWebhook", (t) =>
  t.field({
    type: DeleteWebhookResultRef,
    description: "Deletes a webhook and cancels its pending deliveries.",
    args: { input: t.arg({ type: DeleteWebhookInputRef, required: true, description: "The webhook to delete." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError"], async () => ({
        type: "DeleteWebhookSuccess" as const,
        deletedId: await context.domain.deleteWebhook(context.caller, input),
      })),
  }),
);

const RotateWebhookSecretInputRef = builder.inputType("RotateWebhookSecretInput", {
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
});
const RotateWebhookSecretSuccessRef = secretSuccess("RotateWebhookSecretSuccess", "The webhook has a new secret.");
const RotateWebhookSecretResultRef = builder.unionType("RotateWebhookSecretResult", {
  description: "The result of `rotateWebhookSecret`.",
  types: [RotateWebhookSecretSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("rotateWebhookSecret", (t) =>
  t.field({
    type: RotateWebhookSecretResultRef,
    description: "Replaces the secret of a webhook.",
    args: {
      input: t.arg({
        type: RotateWebhookSecretInputRef,
        required: true,
        description: "The webhook whose secret to replace, and how.",
      }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "RotateWebhookSecretSuccess" as const,
        ...(await context.domain.rotateWebhookSecret(context.caller, { ...input, secret: input.secret ?? null })),
      })),
  }),
);

const TestWebhookInputRef = builder.inputType("TestWebhookInput", {
  description: "The webhook to test.",
  fields: (t) => ({ webhookId: t.id({ required: true, description: "The webhook." }) }),
});
const TestWebhookSuccessRef = deliverySuccess("TestWebhookSuccess", "A message of type `webhook.test` is being sent.");
const TestWebhookResultRef = builder.unionType("TestWebhookResult", {
  description: "The result of `testWebhook`.",
  types: [TestWebhookSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("testWebhook", (t) =>
  t.field({
    type: TestWebhookResultRef,
    description: "Sends a test message to a webhook. Its delivery shows the result.",
    args: { input: t.arg({ type: TestWebhookInputRef, required: true, description: "The webhook to test." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "TestWebhookSuccess" as const,
        delivery: await context.domain.testWebhook(context.caller, input),
      })),
  }),
);

const RedeliverWebhookInputRef = builder.inputType("RedeliverWebhookInput", {
  description: "The delivery to repeat.",
  fields: (t) => ({ deliveryId: t.id({ required: true, description: "The delivery." }) }),
});
const RedeliverWebhookSuccessRef = deliverySuccess("RedeliverWebhookSuccess", "The message is being sent again.");
const RedeliverWebhookResultRef = builder.unionType("RedeliverWebhookResult", {
  description: "The result of `redeliverWebhook`.",
  types: [RedeliverWebhookSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("redeliverWebhook", (t) =>
  t.field({
    type: RedeliverWebhookResultRef,
    description: "Sends a message again under its own id, even if it waits for its next attempt.",
    args: { input: t.arg({ type: RedeliverWebhookInputRef, required: true, description: "The delivery to repeat." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "RedeliverWebhookSuccess" as const,
        delivery: await context.domain.redeliverWebhook(context.caller, input),
      })),
  }),
);
