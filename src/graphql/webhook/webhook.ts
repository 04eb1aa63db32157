import { loaderOf } from "../kit/loader.ts";
import { creatorField } from "../people/actor.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import {
  OrganizationRef,
  WebhookRef,
  WorkspaceRef,
  organizationLoader,
  webhookLoader,
  workspaceLoader,
} from "../kit/refs.ts";
import { readDeliveries, WebhookDeliveryConnectionRef, webhookDeliveryArgs } from "./webhook-delivery.ts";
import { WebhookEventEnum } from "./webhook-event.ts";

const webhooksOfOrganizationLoader = loaderOf((domain, caller, ids) => domain.webhooksOfOrganizations(caller, ids));
const webhooksOfWorkspaceLoader = loaderOf((domain, caller, ids) => domain.webhooksOfWorkspaces(caller, ids));

addNode("webhook", "Webhook", webhookLoader);
WebhookRef.implement({
  extensions: requiredPermissions("WEBHOOK_WRITE"),
  description:
    "An address to which events are sent as signed messages in the format of Standard Webhooks. Only admins see it.",
  interfaces: [NodeRef],
  fields: (t) => ({
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the webhook.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, organizationId), `Organization of ${id}`),
    }),
    workspace: t.field({
      type: WorkspaceRef,
      nullable: true,
      description:
        "The only workspace whose events are sent. `null` if those of all workspaces are sent, or the workspace was deleted.",
      resolve: ({ workspaceId }, _args, { loaders }) =>
        workspaceId === null ? null : loaders.load(workspaceLoader, workspaceId),
    }),
    url: t.exposeString("url", { description: "The address that messages are sent to. It may hold a token." }),
    events: t.field({
      type: [WebhookEventEnum],
      description: "The events to send.",
      resolve: ({ events }) => events,
    }),
    description: t.exposeString("description", {
      nullable: true,
      description: "The purpose of the webhook. `null` if none was given.",
    }),
    enabled: t.exposeBoolean("enabled", { description: "Whether messages are sent." }),
    goneAt: t.expose("goneAt", {
      type: "DateTime",
      nullable: true,
      description: "When the target responded with 410, which disabled the webhook. `null` if it did not.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    createdBy: t.field(creatorField()),
    deliveries: t.field({
      type: WebhookDeliveryConnectionRef,
      description: "The deliveries, newest first. Deliveries that ended over 30 days ago are deleted.",
      args: webhookDeliveryArgs(),
      resolve: ({ id }, args, context) => readDeliveries(context, id, args),
    }),
  }),
});

builder.objectField(OrganizationRef, "webhooks", (t) =>
  t.field({
    type: [WebhookRef],
    description:
      "The webhooks of the organization, including those of single workspaces, oldest first. Empty unless the caller is an admin.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(webhooksOfOrganizationLoader, id),
  }),
);

builder.objectField(WorkspaceRef, "webhooks", (t) =>
  t.field({
    type: [WebhookRef],
    description:
      "The webhooks for this workspace alone, oldest first. Webhooks of the organization receive its events as well. Empty unless the caller is an admin.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(webhooksOfWorkspaceLoader, id),
  }),
);
