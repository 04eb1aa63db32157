import { loaderById, loaderOf } from "../kit/loader.ts";
import type { Success } from "../kit/mutation.ts";
import type { DeliveryState, WebhookAttempt, WebhookDelivery } from "../../model/webhook/webhook.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { type Connection, connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition } from "../kit/cursor.ts";
import { type PageArguments, pageArgs, toPageRequest } from "../kit/page.ts";
import type { GraphqlContext } from "../kit/context.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { WebhookDeliveryRef, WebhookRef, webhookLoader } from "../kit/refs.ts";

const webhookDeliveryLoader = loaderById(["webhookDelivery"], (domain, caller, ids) =>
  domain.webhookDeliveries(caller, ids),
);
const webhookAttemptsLoader = loaderOf((domain, caller, ids) => domain.webhookAttempts(caller, ids));

const WebhookDeliveryStateEnum = describedEnum<DeliveryState>("WebhookDeliveryState", "The state of a delivery.", {
  PENDING: "The message is being sent, or is tried again at `nextAttemptAt`.",
  DELIVERED: "The target responded with a 2xx status.",
  FAILED: "The last attempt failed, or the target responded with 410.",
  CANCELED: "The webhook was disabled or deleted before the message was delivered.",
});

const WebhookAttemptRef = builder.objectRef<WebhookAttempt>("WebhookAttempt").implement({
  extensions: requiredPermissions("WEBHOOK_WRITE"),
  description: "One attempt to send the message to the target.",
  fields: (t) => ({
    number: t.exposeInt("number", { description: "The number within the delivery, from 1." }),
    at: t.expose("at", { type: "DateTime", description: "When the attempt began." }),
    durationMs: t.exposeInt("durationMs", { description: "The duration in milliseconds." }),
    statusCode: t.exposeInt("statusCode", {
      nullable: true,
      description: "The HTTP status of the response. `null` if there was none.",
    }),
    error: t.exposeString("error", { nullable: true, description: "The error. `null` if there was a response." }),
    response: t.exposeString("response", {
      nullable: true,
      description: "The beginning of the response, with secrets masked. `null` if there was none.",
    }),
  }),
});

addNode("webhookDelivery", "WebhookDelivery", webhookDeliveryLoader);
WebhookDeliveryRef.implement({
  extensions: requiredPermissions("WEBHOOK_WRITE"),
  description: "One message for one webhook.",
  interfaces: [NodeRef],
  fields: (t) => ({
    webhook: t.field({
      type: WebhookRef,
      nullable: true,
      description: "The webhook. `null` if it was deleted.",
      resolve: ({ webhookId }, _args, { loaders }) => loaders.load(webhookLoader, webhookId),
    }),
    type: t.exposeString("event", { description: "The `type` of the message, such as `run.ended`." }),
    payload: t.exposeString("payload", { description: "The message as it is sent: JSON." }),
    state: t.expose("state", { type: WebhookDeliveryStateEnum, description: "The state of the delivery." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the event occurred." }),
    nextAttemptAt: t.expose("nextAttemptAt", {
      type: "DateTime",
      nullable: true,
      description: "When the next attempt is due. `null` if the delivery has ended.",
    }),
    finishedAt: t.expose("finishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When the delivery ended. `null` if it has not.",
    }),
    attempts: t.field({
      type: [WebhookAttemptRef],
      description: "The newest 50 attempts, oldest first.",
      resolve: ({ id }, _args, { loaders }) => loaders.load(webhookAttemptsLoader, id),
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
      state: t.field({ type: WebhookDeliveryStateEnum, description: "Only deliveries in this state." }),
    })),
  };
}

/** Reads a page of the deliveries of a webhook. */
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

/** Builds the success type of a command that sends a message. */
export function deliverySuccess(description: string): Success<WebhookDelivery> {
  return {
    description,
    fields: (t) => ({
      delivery: t.field({
        type: WebhookDeliveryRef,
        description: "The delivery of the message.",
        resolve: ({ value }) => value,
      }),
    }),
  };
}
