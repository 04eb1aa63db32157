import type { PolicySet } from "../../model/policy/policy-set.ts";
import { builder } from "../kit/builder.ts";
import { connectionRef, edgeRef, toConnection } from "../kit/connection.ts";
import { namePosition, numberPosition } from "../kit/cursor.ts";
import { present } from "../kit/errors.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderById, loaderOf } from "../kit/loader.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import { pageArgs, toPageRequest } from "../kit/page.ts";
import { OrganizationRef, organizationLoader, WorkspaceRef } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { PolicyDialectEnum, PolicyErrorModeEnum, PolicyLanguageEnum } from "./policy-enums.ts";
import { PolicyOverridersRef } from "./overriders.ts";
import { PolicyVersionConnectionRef, PolicyVersionRef } from "./policy-version.ts";
import { WorkspaceSelectorRef } from "./selector.ts";

export const policySetLoader = loaderById(["policySet"], (domain, caller, ids) => domain.policySets(caller, ids));
const currentVersionsLoader = loaderOf((domain, caller, ids) => domain.currentPolicyVersions(caller, ids));
const setsOfWorkspaceLoader = loaderOf((domain, caller, ids) => domain.policySetsOfWorkspaces(caller, ids));

export const SET_WORDS = {
  name: "The name, which is unique in the organization.",
  description: "The purpose of the set.",
  language: "The language of its policies.",
  dialect: "The product whose input its policies expect. HOLDPOINT with the language CEL.",
  selector: "The workspaces and the kinds of runs that it judges.",
  onError: "The effect of a policy that cannot be judged.",
  judgesUnchanged: "Whether it judges plans without changes as well.",
  needsWholePlan: "Whether it fails if parts of a plan were left out because it is too large.",
  overriders: "The people who may override results at the level SOFT_MANDATORY.",
  enabled: "Whether it judges anything.",
} as const;

addNode("policySet", "PolicySet", policySetLoader);
export const PolicySetRef = builder.objectRef<PolicySet>("PolicySet");
PolicySetRef.implement({
  extensions: requiredPermissions("POLICY_READ"),
  description: "Policies that are kept, versioned and attached together.",
  interfaces: [NodeRef],
  fields: (t) => ({
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the set.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, organizationId), `Organization of ${id}`),
    }),
    name: t.exposeString("name", { description: SET_WORDS.name }),
    description: t.exposeString("description", {
      nullable: true,
      description: `${SET_WORDS.description} \`null\` if none was given.`,
    }),
    language: t.expose("language", { type: PolicyLanguageEnum, description: SET_WORDS.language }),
    dialect: t.expose("dialect", { type: PolicyDialectEnum, description: SET_WORDS.dialect }),
    selector: t.expose("selector", { type: WorkspaceSelectorRef, description: SET_WORDS.selector }),
    onError: t.expose("onError", { type: PolicyErrorModeEnum, description: SET_WORDS.onError }),
    judgesUnchanged: t.exposeBoolean("judgesUnchanged", { description: SET_WORDS.judgesUnchanged }),
    needsWholePlan: t.exposeBoolean("needsWholePlan", { description: SET_WORDS.needsWholePlan }),
    overriders: t.expose("overriders", { type: PolicyOverridersRef, description: SET_WORDS.overriders }),
    enabled: t.exposeBoolean("enabled", { description: SET_WORDS.enabled }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    activeVersion: t.field({
      type: PolicyVersionRef,
      nullable: true,
      description: "The version that judges and decides. `null` if there is none.",
      resolve: async ({ id }, _args, { loaders }) =>
        (await loaders.load(currentVersionsLoader, id)).find(({ state }) => state === "ACTIVE") ?? null,
    }),
    shadowVersion: t.field({
      type: PolicyVersionRef,
      nullable: true,
      description: "The version that judges and decides nothing. `null` if there is none.",
      resolve: async ({ id }, _args, { loaders }) =>
        (await loaders.load(currentVersionsLoader, id)).find(({ state }) => state === "SHADOW") ?? null,
    }),
    versions: t.field({
      type: PolicyVersionConnectionRef,
      description: "All versions, newest first.",
      args: pageArgs(),
      resolve: async ({ id }, args, { caller, domain }) => {
        const name = `versions of ${id}`;
        const request = toPageRequest(args, { name, position: numberPosition });
        return toConnection(name, await domain.listPolicyVersions(caller, id, request), ({ number }) => number);
      },
    }),
  }),
});

builder.objectField(PolicyVersionRef, "policySet", (t) =>
  t.field({
    type: PolicySetRef,
    nullable: true,
    description: "The set of the version. `null` if it was deleted.",
    resolve: ({ setId }, _args, { loaders }) => loaders.load(policySetLoader, setId),
  }),
);

const EdgeRef = edgeRef<PolicySet>("PolicySet", "policy set");
const ConnectionRef = connectionRef<PolicySet>("PolicySet", "A page of policy sets, oldest first.");
builder.objectField(EdgeRef, "node", (t) =>
  t.field({ type: PolicySetRef, description: "The policy set.", resolve: (edge) => edge.node }),
);
builder.objectField(ConnectionRef, "edges", (t) =>
  t.field({ type: [EdgeRef], description: "The policy sets.", resolve: (connection) => connection.edges }),
);

builder.objectField(OrganizationRef, "policySets", (t) =>
  t.field({
    type: ConnectionRef,
    extensions: requiredPermissions("POLICY_READ"),
    description: "The policy sets, oldest first. Empty unless the caller may read those of the whole organization.",
    args: pageArgs(),
    resolve: async ({ id }, args, { caller, domain }) => {
      const name = `policy sets of ${id}`;
      const request = toPageRequest(args, { name, position: namePosition });
      return toConnection(name, await domain.listPolicySets(caller, id, request), (set) => set.id);
    },
  }),
);

builder.objectField(WorkspaceRef, "policySets", (t) =>
  t.field({
    type: [PolicySetRef],
    extensions: LEAVES_WORKSPACE,
    description:
      "The enabled policy sets that judge runs of the workspace. Empty unless the caller may read those of the whole organization.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(setsOfWorkspaceLoader, id),
  }),
);
