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
  "Where messages are sent, by https or http; no internal address, unless the server's settings allow it.";
const SECRET = "`whsec_` and 24 to 64 bytes as base64; absent: one is made.";
const SHOWN_ONCE = "What the target checks signatures with. It is never shown again.";

/** The success of a command about a webhook: the webhook as it is afterwards. */
function webhookSuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; webhook: Webhook }>(name).implement({
    description,
    fields: (t) => ({
      webhook: t.field({ type: WebhookRef, description: "The webhook.", resolve: ({ webhook }) => webhook }),
    }),
  });
}

/** The same where a secret was made. */
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
  description: "A new webhook.",
  fields: (t) => ({
    organizationId: t.id({ required: true, description: "The organization that it belongs to." }),
    workspaceId: t.id({ description: "The only workspace that it is told of; absent: all of the organization." }),
    url: t.string({ required: true, description: URL_TEXT }),
    events: t.field({ type: [WebhookEventEnum], required: true, description: "What it is told." }),
    description: t.string({ description: "What it is for." }),
    secret: t.string({ description: SECRET }),
  }),
});
const CreateWebhookSuccessRef = secretSuccess("CreateWebhookSuccess", "The webhook was created.");
const CreateWebhookResultRef = builder.unionType("CreateWebhookResult", {
  description: "What came of `createWebhook`.",
  types: [CreateWebhookSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("createWebhook", (t) =>
  t.field({
    type: CreateWebhookResultRef,
    description: "Creates a webhook: an address that is told what happens.",
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
  description: "An absent field stays; null clears `description` and is invalid elsewhere.",
  fields: (t) => ({
    webhookId: t.id({ required: true, description: "The webhook to change." }),
    url: t.string({ description: URL_TEXT }),
    events: t.field({ type: [WebhookEventEnum], description: "What it is told." }),
    description: t.string({ description: "What it is for." }),
    enabled: t.boolean({ description: "false: nothing is sent any more, and what waits is given up." }),
  }),
});
const UpdateWebhookSuccessRef = webhookSuccess("UpdateWebhookSuccess", "The webhook was changed.");
const UpdateWebhookResultRef = builder.unionType("UpdateWebhookResult", {
  description: "What came of `updateWebhook`.",
  types: [UpdateWebhookSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("updateWebhook", (t) =>
  t.field({
    type: UpdateWebhookResultRef,
    description: "Changes a webhook.",
    args: { input: t.arg({ type: UpdateWebhookInputRef, required: true, description: "What is to be different." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "UpdateWebhookSuccess" as const,
        webhook: await context.domain.updateWebhook(context.caller, input),
      })),
  }),
);

const DeleteWebhookInputRef = builder.inputType("DeleteWebhookInput", {
  description: "A webhook that is to go.",
  fields: (t) => ({ webhookId: t.id({ required: true, description: "The webhook." }) }),
});
const DeleteWebhookSuccessRef = builder
  .objectRef<{ type: "DeleteWebhookSuccess"; deletedId: string }>("DeleteWebhookSuccess")
  .implement({
    description: "The webhook is gone; nothing is sent any more.",
    fields: (t) => ({ deletedId: t.exposeID("deletedId", { description: "The id of the webhook." }) }),
  });
const DeleteWebhookResultRef = builder.unionType("DeleteWebhookResult", {
  description: "What came of `deleteWebhook`.",
  types: [DeleteWebhookSuccessRef, NotFoundErrorRef, ForbiddenErrorRef],
  resolveType: ({ type }) => type,
});
builder.mutationField("deleteWebhook", (t) =>
  t.field({
    type: DeleteWebhookResultRef,
    description: "Deletes a webhook; what waits for it is given up.",
    args: { input: t.arg({ type: DeleteWebhookInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["NotFoundError", "ForbiddenError"], async () => ({
        type: "DeleteWebhookSuccess" as const,
        deletedId: await context.domain.deleteWebhook(context.caller, input),
      })),
  }),
);

const RotateWebhookSecretInputRef = builder.inputType("RotateWebhookSecretInput", {
  description: "A webhook that is to have another secret.",
  fields: (t) => ({
    webhookId: t.id({ required: true, description: "The webhook." }),
    secret: t.string({ description: SECRET }),
    revokeNow: t.boolean({
      required: true,
      defaultValue: false,
      description: "true: the former secret signs nothing any more; false: it signs beside the new one for a day.",
    }),
  }),
});
const RotateWebhookSecretSuccessRef = secretSuccess("RotateWebhookSecretSuccess", "The webhook has a new secret.");
const RotateWebhookSecretResultRef = builder.unionType("RotateWebhookSecretResult", {
  description: "What came of `rotateWebhookSecret`.",
  types: [RotateWebhookSecretSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("rotateWebhookSecret", (t) =>
  t.field({
    type: RotateWebhookSecretResultRef,
    description: "Gives a webhook another secret.",
    args: { input: t.arg({ type: RotateWebhookSecretInputRef, required: true, description: "Which one, and how." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "RotateWebhookSecretSuccess" as const,
        ...(await context.domain.rotateWebhookSecret(context.caller, { ...input, secret: input.secret ?? null })),
      })),
  }),
);

const TestWebhookInputRef = builder.inputType("TestWebhookInput", {
  description: "A webhook that is to be tried.",
  fields: (t) => ({ webhookId: t.id({ required: true, description: "The webhook." }) }),
});
const TestWebhookSuccessRef = deliverySuccess("TestWebhookSuccess", "A message of type `webhook.test` is on its way.");
const TestWebhookResultRef = builder.unionType("TestWebhookResult", {
  description: "What came of `testWebhook`.",
  types: [TestWebhookSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("testWebhook", (t) =>
  t.field({
    type: TestWebhookResultRef,
    description: "Sends a message to try a webhook; its delivery tells what came of it.",
    args: { input: t.arg({ type: TestWebhookInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "TestWebhookSuccess" as const,
        delivery: await context.domain.testWebhook(context.caller, input),
      })),
  }),
);

const RedeliverWebhookInputRef = builder.inputType("RedeliverWebhookInput", {
  description: "A message that is to be sent once more.",
  fields: (t) => ({ deliveryId: t.id({ required: true, description: "The delivery." }) }),
});
const RedeliverWebhookSuccessRef = deliverySuccess("RedeliverWebhookSuccess", "The message is on its way again.");
const RedeliverWebhookResultRef = builder.unionType("RedeliverWebhookResult", {
  description: "What came of `redeliverWebhook`.",
  types: [RedeliverWebhookSuccessRef, ...ERROR_REFS],
  resolveType: ({ type }) => type,
});
builder.mutationField("redeliverWebhook", (t) =>
  t.field({
    type: RedeliverWebhookResultRef,
    description: "Sends a message once more, under its own id; also one that waits for its next attempt.",
    args: { input: t.arg({ type: RedeliverWebhookInputRef, required: true, description: "Which one." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ERRORS, async () => ({
        type: "RedeliverWebhookSuccess" as const,
        delivery: await context.domain.redeliverWebhook(context.caller, input),
      })),
  }),
);
