import { LIMITS } from "../../model/kit/limits.ts";
import { loaderById, loaderOf } from "../kit/loader.ts";
import { creatorField } from "../people/actor.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { OrganizationRef, RunnerPoolRef, RunnerTokenRef, organizationLoader, runnerPoolLoader } from "../kit/refs.ts";

const runnerTokenLoader = loaderById(["runnerToken"], (domain, caller, ids) => domain.runnerTokens(caller, ids));
const runnerPoolsOfOrganizationLoader = loaderOf((domain, caller, ids) =>
  domain.runnerPoolsOfOrganizations(caller, ids),
);
const tokensOfRunnerPoolLoader = loaderOf((domain, caller, ids) => domain.tokensOfRunnerPools(caller, ids));

addNode("runnerToken", "RunnerToken", runnerTokenLoader);
RunnerTokenRef.implement({
  extensions: requiredPermissions("RUNNER_POOL_WRITE"),
  description: "A credential with which runners join a pool. Its secret is shown once, when it is created.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, unique within the pool." }),
    pool: t.field({
      type: RunnerPoolRef,
      nullable: true,
      description: "The pool. `null` if it was deleted.",
      resolve: ({ poolId }, _args, { loaders }) => loaders.load(runnerPoolLoader, poolId),
    }),
    createdBy: t.field(creatorField("The actor that created the token.")),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the token was created." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "The approximate time at which a runner last used it. `null` if none did.",
    }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When the token expires. `null` if it never does.",
    }),
  }),
});

export const DRIFT_CHECK_LIMIT = `How many checks for drift of workspaces that name the pool run at once, from 1 to ${LIMITS.driftCheckLimit}. \`null\`: as many as there are places.`;

addNode("runnerPool", "RunnerPool", runnerPoolLoader);
RunnerPoolRef.implement({
  extensions: requiredPermissions("RUNNER_READ"),
  description: "A group of runners of an organization that take the same runs.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, unique within the organization." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "The purpose of the pool. `null` if none was given.",
    }),
    reserved: t.exposeBoolean("reserved", {
      description:
        "Whether only workspaces that name the pool run on it. If false, so do workspaces that name no pool.",
    }),
    driftCheckLimit: t.exposeInt("driftCheckLimit", { nullable: true, description: DRIFT_CHECK_LIMIT }),
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the pool.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, organizationId), `Organization of ${id}`),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    tokens: t.field({
      type: [RunnerTokenRef],
      description: "The runner tokens of the pool, oldest first. Empty unless the caller is an admin.",
      resolve: ({ id }, _args, { loaders }) => loaders.load(tokensOfRunnerPoolLoader, id),
    }),
  }),
});

builder.objectField(OrganizationRef, "runnerPools", (t) =>
  t.field({
    type: [RunnerPoolRef],
    description: "The runner pools of the organization, by name.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(runnerPoolsOfOrganizationLoader, id),
  }),
);
