import type { DeliveryState, WebhookAttempt, WebhookDelivery } from "../../model/webhook/webhook.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { NodeRef } from "../kit/node.ts";
import { WebhookDeliveryRef, WebhookRef } from "../kit/refs.ts";

const WebhookDeliveryStateEnum = describedEnum<DeliveryState>("WebhookDeliveryState", "Where a message is.", {
  PENDING: "It is on its way, or is tried again at `nextAttemptAt`.",
  DELIVERED: "The target answered with a status of 2xx.",
  FAILED: "The last attempt failed, or the target answered 410.",
  CANCELED: "The webhook was disabled or deleted before.",
});

const WebhookAttemptRef = builder.objectRef<WebhookAttempt>("WebhookAttempt").implement({
  extensions: asksFor("webhook:read"),
  description: "One request to the target.",
  fields: (t) => ({
    number: t.exposeInt("number", { description: "Counts up within the delivery, from 1." }),
    at: t.expose("at", { type: "DateTime", description: "When it began." }),
    durationMs: t.exposeInt("durationMs", { description: "How long it took, in milliseconds." }),
    statusCode: t.exposeInt("statusCode", {
      nullable: true,
      description: "The status of the answer; null: there was none.",
    }),
    error: t.exposeString("error", { nullable: true, description: "What went wrong, where it was not the status." }),
    response: t.exposeString("response", {
      nullable: true,
      description: "The beginning of the answer, without what must not be shown.",
    }),
  }),
});

WebhookDeliveryRef.implement({
  extensions: asksFor("webhook:read"),
  description: "One message for one webhook.",
  interfaces: [NodeRef],
  fields: (t) => ({
    webhook: t.field({
      type: WebhookRef,
      nullable: true,
      description: "Whom it is for; null where the webhook was deleted.",
      resolve: ({ webhookId }, _args, { loaders }) => loaders.webhook.load(webhookId),
    }),
    type: t.exposeString("event", { description: "The `type` of the message, such as `run.ended`." }),
    payload: t.exposeString("payload", { description: "The message as it is sent: JSON." }),
    state: t.expose("state", { type: WebhookDeliveryStateEnum, description: "Where it is." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it happened." }),
    nextAttemptAt: t.expose("nextAttemptAt", {
      type: "DateTime",
      nullable: true,
      description: "When it is tried next; null where it is over.",
    }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was over; null: it is not.",
    }),
    attempts: t.field({
      type: [WebhookAttemptRef],
      description: "The newest 50 requests that were made, oldest first.",
      resolve: ({ id }, _args, { loaders }) => loaders.webhookAttempts.load(id),
    }),
  }),
});

const EdgeRef = edgeRef<WebhookDelivery>("WebhookDelivery", "delivery");
export const WebhookDeliveryConnectionRef = connectionRef<WebhookDelivery>(
  "WebhookDelivery",
  "A page of deliveries, newest first.",
);
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: WebhookDeliveryRef, description: "The delivery.", resolve: (edge) => edge.node }),
);
builder.objectField(WebhookDeliveryConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The deliveries.", resolve: (connection) => connection.edges }),
);

/** The arguments of a list of deliveries. */
export function webhookDeliveryArgs() {
  return {
    ...pageArgs(),
    ...builder.args((t) => ({
      state: t.field({ type: WebhookDeliveryStateEnum, description: "Only those that are there." }),
    })),
  };
}

/** A page of the deliveries of a webhook. */
export async function readDeliveries(
  { caller, domain }: GraphqlContext,
  webhookId: string,
  args: PageArguments & { state?: DeliveryState | null | undefined },
): Promise<Connection<WebhookDelivery>> {
  const name = `deliveries of ${webhookId}`;
  const request = toPageRequest(args, { name, position: namePosition });
  const page = await domain.listWebhookDeliveries(caller, webhookId, args.state ?? null, request);
  return toConnection(name, page, (delivery) => delivery.id);
}

/** What a command that sends a message answers with. */
export function deliverySuccess<const Name extends string>(name: Name, description: string) {
  return builder.objectRef<{ type: Name; delivery: WebhookDelivery }>(name).implement({
    description,
    fields: (t) => ({
      delivery: t.field({
        type: WebhookDeliveryRef,
        description: "The message, on its way.",
        resolve: ({ delivery }) => present(delivery, "The delivery"),
      }),
    }),
  });
}
