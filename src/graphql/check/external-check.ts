import type { CheckStage, ExternalCheck } from "../../model/check/external-check.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { present } from "../kit/errors.ts";
import { loaderById, loaderOf } from "../kit/loader.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import {
  ExternalCheckRef,
  OrganizationRef,
  organizationLoader,
  RunnerPoolRef,
  runnerPoolLoader,
  WorkspaceRef,
} from "../kit/refs.ts";
import { creatorField } from "../people/actor.ts";
import { EnforcementLevelEnum, PolicyErrorModeEnum } from "../policy/policy-enums.ts";
import { WorkspaceSelectorRef } from "../policy/selector.ts";

const externalCheckLoader = loaderById(["externalCheck"], (domain, caller, ids) => domain.externalChecks(caller, ids));
const changeableCheckLoader = loaderById(["externalCheck"], (domain, caller, ids) =>
  domain.changeableChecks(caller, ids),
);
const checksOfOrganizationLoader = loaderOf((domain, caller, ids) => domain.checksOfOrganizations(caller, ids));
const checksOfWorkspaceLoader = loaderOf((domain, caller, ids) => domain.checksOfWorkspaces(caller, ids));

export const CheckStageEnum = describedEnum<CheckStage>("CheckStage", "When an external check is asked about a run.", {
  PRE_PLAN: "Before the plan: the run is not admitted before.",
  POST_PLAN: "About the plan, at the same time as the policies.",
  PRE_APPLY: "Before the apply: no runner takes the run before.",
  POST_APPLY:
    "After the apply, whose verification waits for it: MANDATORY fails the run, SOFT_MANDATORY asks for a judgement. ADVISORY is recorded.",
});

addNode("externalCheck", "ExternalCheck", externalCheckLoader);
ExternalCheckRef.implement({
  extensions: requiredPermissions("ORGANIZATION_READ"),
  description: "A service that judges runs by the protocol of HCP's run tasks.",
  interfaces: [NodeRef],
  fields: (t) => ({
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the check.",
      resolve: async ({ id, organizationId }, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, organizationId), `Organization of ${id}`),
    }),
    name: t.exposeString("name", { description: "The name, unique within the organization." }),
    url: t.string({
      nullable: true,
      extensions: requiredPermissions("CHECK_WRITE"),
      description: "The address of the service, which may hold a token. `null` unless the caller may change the check.",
      resolve: async ({ id }, _args, { loaders }) => (await loaders.load(changeableCheckLoader, id))?.url ?? null,
    }),
    signed: t.exposeBoolean("signed", { description: "Whether requests are signed by a key. It is never shown." }),
    via: t.field({
      type: RunnerPoolRef,
      nullable: true,
      description:
        "The pool whose runners send the requests. `null` if the server does, or if the caller may not see runners.",
      resolve: ({ viaPoolId }, _args, { loaders }) =>
        viaPoolId === null ? null : loaders.load(runnerPoolLoader, viaPoolId),
    }),
    stages: t.field({
      type: [CheckStageEnum],
      description: "The stages at which it is asked.",
      resolve: ({ stages }) => [...stages],
    }),
    level: t.expose("level", { type: EnforcementLevelEnum, description: "The effect of its failure." }),
    onError: t.expose("onError", { type: PolicyErrorModeEnum, description: "The effect of a missing answer." }),
    estimatesCost: t.exposeBoolean("estimatesCost", {
      description: "Whether policies about a plan wait for its estimate of the cost.",
    }),
    selector: t.field({
      type: WorkspaceSelectorRef,
      description: "The workspaces whose runs it judges.",
      resolve: ({ selector }) => selector,
    }),
    progressSeconds: t.exposeInt("progressSeconds", { description: "The longest time without a report, in seconds." }),
    totalSeconds: t.exposeInt("totalSeconds", { description: "The longest time for a result, in seconds." }),
    enabled: t.exposeBoolean("enabled", { description: "Whether it is asked about new runs." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    createdBy: t.field(creatorField()),
  }),
});

builder.objectField(OrganizationRef, "externalChecks", (t) =>
  t.field({
    type: [ExternalCheckRef],
    description: "The external checks of the organization, oldest first.",
    resolve: ({ id }, _args, { loaders }): Promise<ExternalCheck[]> => loaders.load(checksOfOrganizationLoader, id),
  }),
);

builder.objectField(WorkspaceRef, "externalChecks", (t) =>
  t.field({
    type: [ExternalCheckRef],
    description: "The enabled external checks that are asked about runs of the workspace, oldest first.",
    resolve: ({ id }, _args, { loaders }): Promise<ExternalCheck[]> => loaders.load(checksOfWorkspaceLoader, id),
  }),
);
