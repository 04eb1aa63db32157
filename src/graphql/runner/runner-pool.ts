import { ActorRef } from "../people/actor.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { NodeRef } from "../kit/node.ts";
import { OrganizationRef, RunnerPoolRef, RunnerTokenRef } from "../kit/refs.ts";

RunnerTokenRef.implement({
  extensions: asksFor("runnerPool:write"),
  description: "What lets runners into a pool. Its secret is shown once, when it is created.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name by which it is told from others of the pool." }),
    pool: t.field({
      type: RunnerPoolRef,
      nullable: true,
      description: "The pool; null: it was deleted.",
      resolve: ({ poolId }, _args, { loaders }) => loaders.runnerPool.load(poolId),
    }),
    createdBy: t.field({
      type: ActorRef,
      description: "Who created it.",
      resolve: async ({ id, createdById }, _args, { loaders }) =>
        present(await loaders.actor.load(createdById), `Creator of ${id}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "About when a runner last came with it; null where none did.",
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", nullable: true, description: "When it ends; null: never." }),
  }),
});

RunnerPoolRef.implement({
  extensions: asksFor("runner:read"),
  description: "Runners of an organization that get the same runs.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "Unique within the organization." }),
    description: t.exposeString("description", { nullable: true, description: "What it is for." }),
    reserved: t.exposeBoolean("reserved", {
      description: "Whether only workspaces that name it run on it; otherwise so do those that name no pool.",
    }),
    organization: t.field({
      type: OrganizationRef,
      description: "The organization that it belongs to.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.organization.load(organizationId), `Organization of ${id}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    tokens: t.field({
      type: [RunnerTokenRef],
      description: "What lets runners in, oldest first; empty for whoever is no admin.",
      resolve: ({ id }, _args, { loaders }) => loaders.tokensOfRunnerPool.load(id),
    }),
  }),
});

builder.objectField(OrganizationRef, "runnerPools", (t) =>
  t.field({
    type: [RunnerPoolRef],
    description: "Its runner pools, by name.",
    resolve: ({ id }, _args, { loaders }) => loaders.runnerPoolsOfOrganization.load(id),
  }),
);
