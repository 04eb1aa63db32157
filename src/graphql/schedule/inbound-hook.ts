import type { InboundHook, InboundKind, InboundMapping } from "../../model/schedule/inbound-hook.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById, loaderOf } from "../kit/loader.ts";
import { mutation, type Success } from "../kit/mutation.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { OrganizationRef, workspaceLoader, WorkspaceRef } from "../kit/refs.ts";
import { deletedSuccess } from "../kit/success.ts";
import { ActorRef, actorLoader } from "../people/actor.ts";
import { runCauseRef } from "../run/run-cause.ts";

const inboundHookLoader = loaderById(["inboundHook"], (domain, caller, ids) => domain.inboundHooks(caller, ids));
const hooksOfOrganizationLoader = loaderOf((domain, caller, ids) => domain.inboundHooksOfOrganizations(caller, ids));

const InboundKindEnum = describedEnum<InboundKind>("InboundHookKind", "The kind of the runs of an inbound hook.", {
  PLAN: "`PLAN`: a plan alone.",
  DEPLOY: "`DEPLOY`: a plan, which is applied after its gates.",
});

const MappingRef = builder.objectRef<InboundMapping>("InboundMapping").implement({
  description: "A value of the body of a delivery that its runs get as metadata.",
  fields: (t) => ({
    key: t.exposeString("key", { description: "The key of the metadata." }),
    pointer: t.exposeString("pointer", { description: "A JSON pointer into the body, such as /ticket/id." }),
  }),
});

const MappingInputRef = builder.inputType("InboundMappingInput", {
  description: "A value of the body of a delivery that its runs get as metadata.",
  fields: (t) => ({
    key: t.string({ required: true, description: "The key of the metadata." }),
    pointer: t.string({ required: true, description: "A JSON pointer (RFC 6901) into the body, such as /ticket/id." }),
  }),
});

const WORDS = {
  name: "The name, which is the message of its runs.",
  kind: "The kind of its runs.",
  workspaceIds: `The workspaces, at most ${LIMITS.workspacesPerInboundHook}. It takes the permission to make such runs in each.`,
  mapping: "The values of the body that its runs get as metadata.",
} as const;

const InboundHookRef = builder.objectRef<InboundHook>("InboundHook");
addNode("inboundHook", "InboundHook", inboundHookLoader);
InboundHookRef.implement({
  extensions: requiredPermissions("WEBHOOK_WRITE"),
  description: "An address at which another system makes runs of fixed workspaces. It approves nothing.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: WORDS.name }),
    path: t.string({
      description: "The path of the address: `POST` a delivery there.",
      resolve: ({ id }) => `/hooks/in/${id}`,
    }),
    kind: t.expose("kind", { type: InboundKindEnum, description: WORDS.kind }),
    workspaces: t.field({
      type: [WorkspaceRef],
      description: "Its workspaces that the caller may read.",
      resolve: async ({ workspaceIds }, _args, { loaders }) => {
        const found = await Promise.all(workspaceIds.map((id) => loaders.load(workspaceLoader, id)));
        return found.filter((workspace) => workspace !== null);
      },
    }),
    mapping: t.field({
      type: [MappingRef],
      description: WORDS.mapping,
      resolve: ({ mapping }) => [...mapping],
    }),
    owner: t.field({
      type: ActorRef,
      description: "The actor under whose rights its runs are created: the one that created it, or changed it last.",
      resolve: async ({ id, ownerId }, _args, { loaders }) =>
        present(await loaders.load(actorLoader, ownerId), `Owner of ${id}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    lastAt: t.expose("lastAt", {
      type: "DateTime",
      nullable: true,
      description: "When the last delivery was accepted. `null` before the first.",
    }),
    lastProblem: t.exposeString("lastProblem", {
      nullable: true,
      description: "Why that had no runs, or not in all workspaces. `null` if nothing was wrong.",
    }),
  }),
});

builder.objectField(OrganizationRef, "inboundHooks", (t) =>
  t.field({
    type: [InboundHookRef],
    extensions: requiredPermissions("WEBHOOK_WRITE"),
    description: "The inbound hooks of the organization, oldest first. Empty unless the caller may change them.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(hooksOfOrganizationLoader, id),
  }),
);

/** Builds the success type of a command that generates a secret. */
function secretSuccess(description: string): Success<{ hook: InboundHook; secret: string }> {
  return {
    description,
    fields: (t) => ({
      inboundHook: t.field({ type: InboundHookRef, description: "The hook.", resolve: ({ value }) => value.hook }),
      secret: t.string({
        description: "The secret that signs deliveries, or is their bearer token. It is never shown again.",
        resolve: ({ value }) => value.secret,
      }),
    }),
  };
}

mutation("createInboundHook", {
  description: "Creates an inbound hook. The caller becomes its owner, under whose rights its runs are created.",
  argument: "The hook.",
  input: {
    description: "The hook to create.",
    fields: (t) => ({
      organizationId: t.id({ required: true, description: "The organization of the hook." }),
      name: t.string({ required: true, description: WORDS.name }),
      kind: t.field({ type: InboundKindEnum, required: true, description: WORDS.kind }),
      workspaceIds: t.idList({ required: true, description: WORDS.workspaceIds }),
      mapping: t.field({
        type: [MappingInputRef],
        required: true,
        defaultValue: [],
        description: WORDS.mapping,
      }),
    }),
  },
  success: secretSuccess("The hook was created."),
  run: ({ createInboundHook }, caller, { input }) => createInboundHook(caller, input),
});

mutation("updateInboundHook", {
  description:
    "Changes an inbound hook. Its address and its secret stay. The caller becomes its owner, under whose rights its runs are created.",
  argument: "The hook and its changes.",
  input: {
    description: "The changes to an inbound hook. An absent field is not changed, and none can be null.",
    fields: (t) => ({
      hookId: t.id({ required: true, description: "The hook to change." }),
      name: t.string({ description: WORDS.name }),
      kind: t.field({ type: InboundKindEnum, description: WORDS.kind }),
      workspaceIds: t.idList({ description: WORDS.workspaceIds }),
      mapping: t.field({ type: [MappingInputRef], description: WORDS.mapping }),
    }),
  },
  success: {
    description: "The hook was changed.",
    fields: (t) => ({
      inboundHook: t.field({ type: InboundHookRef, description: "The hook.", resolve: ({ value }) => value }),
    }),
  },
  run: ({ updateInboundHook }, caller, { input }) => updateInboundHook(caller, input),
});

mutation("rotateInboundHookSecret", {
  description: "Replaces the secret of an inbound hook.",
  argument: "The hook whose secret to replace, and how.",
  input: {
    description: "The hook whose secret to replace.",
    fields: (t) => ({
      hookId: t.id({ required: true, description: "The hook." }),
      revokeNow: t.boolean({
        required: true,
        defaultValue: false,
        description: "Whether the old secret ends at once. If false, both are good for one day.",
      }),
    }),
  },
  success: secretSuccess("The hook has a new secret."),
  run: ({ rotateInboundHookSecret }, caller, { input }) => rotateInboundHookSecret(caller, input),
});

mutation("deleteInboundHook", {
  description: "Deletes an inbound hook. Its runs stay.",
  argument: "The hook to delete.",
  input: {
    description: "The hook to delete.",
    fields: (t) => ({ hookId: t.id({ required: true, description: "The hook." }) }),
  },
  success: deletedSuccess("The hook is deleted.", "The id of the hook."),
  run: ({ deleteInboundHook }, caller, { input }) => deleteInboundHook(caller, input),
});

runCauseRef("INBOUND_HOOK", "InboundHookCause").implement({
  description: "Another system made a delivery to an inbound hook.",
  fields: (t) => ({
    hookId: t.exposeID("hookId", { description: "The id of the hook." }),
    deliveryId: t.exposeString("deliveryId", { description: "The `webhook-id` of the delivery." }),
  }),
});
