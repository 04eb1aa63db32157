import { ActorRef } from "../people/actor.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { NodeRef } from "../kit/node.ts";
import { OrganizationRef, WebhookRef, WorkspaceRef } from "../kit/refs.ts";
import { readDeliveries, WebhookDeliveryConnectionRef, webhookDeliveryArgs } from "./webhook-delivery.ts";
import { WebhookEventEnum } from "./webhook-event.ts";

WebhookRef.implement({
  extensions: asksFor("webhook:read"),
  description:
    "An address that is told what happens, by signed messages in the format of Standard Webhooks. Only admins see it.",
  interfaces: [NodeRef],
  fields: (t) => ({
    organization: t.field({
      type: OrganizationRef,
      description: "The organization that it belongs to.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.organization.load(organizationId), `Organization of ${id}`),
    }),
    workspace: t.field({
      type: WorkspaceRef,
      nullable: true,
      description: "The only workspace that it is told of; null: all of the organization, or one that was deleted.",
      resolve: ({ workspaceId }, _args, { loaders }) =>
        workspaceId === null ? null : loaders.workspace.load(workspaceId),
    }),
    url: t.exposeString("url", { description: "Where messages are sent; it may hold a token." }),
    events: t.field({
      type: [WebhookEventEnum],
      description: "What it is told.",
      resolve: ({ events }) => events,
    }),
    description: t.exposeString("description", { nullable: true, description: "What it is for." }),
    enabled: t.exposeBoolean("enabled", { description: "Whether anything is sent." }),
    goneAt: t.expose("goneAt", {
      type: "DateTime",
      nullable: true,
      description: "When the target answered 410, which disabled the webhook; null: it did not.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    createdBy: t.field({
      type: ActorRef,
      description: "Who created it.",
      resolve: async ({ id, createdById }, _args, { loaders }) =>
        present(await loaders.actor.load(createdById), `Creator of ${id}`),
    }),
    deliveries: t.field({
      type: WebhookDeliveryConnectionRef,
      description: "What was sent and what waits, newest first. What ended over 30 days ago is deleted.",
      args: webhookDeliveryArgs(),
      resolve: ({ id }, args, context) => readDeliveries(context, id, args),
    }),
  }),
});

builder.objectField(OrganizationRef, "webhooks", (t) =>
  t.field({
    type: [WebhookRef],
    description: "Its webhooks, those of single workspaces included, oldest first; empty for whoever is no admin.",
    resolve: ({ id }, _args, { loaders }) => loaders.webhooksOfOrganization.load(id),
  }),
);

builder.objectField(WorkspaceRef, "webhooks", (t) =>
  t.field({
    type: [WebhookRef],
    description:
      "The webhooks for this workspace alone, oldest first; those of its organization are told of it as well. Empty for whoever is no admin.",
    resolve: ({ id }, _args, { loaders }) => loaders.webhooksOfWorkspace.load(id),
  }),
);
