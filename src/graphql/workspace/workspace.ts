import { loaderById, loaderOf } from "../kit/loader.ts";
import type { Output } from "../../model/workspace/workspace.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { addNode, NodeRef } from "../kit/node.ts";
import {
  OrganizationRef,
  RunRef,
  StateLockRef,
  WorkspaceLockRef,
  WorkspaceRef,
  organizationLoader,
  workspaceLoader,
} from "../kit/refs.ts";
import { readRuns, RunConnectionRef, runListArgs } from "../run/run-list.ts";
import { AutoApplyEnum, DeploymentStatusEnum, LockScopeEnum, PlanApprovalModeEnum } from "./workspace-enums.ts";
import { WorkspaceSourceRef } from "./workspace-source.ts";

export const pastWorkspaceLoader = loaderById(["workspace"], (domain, caller, ids) =>
  domain.workspacesEver(caller, ids),
);
export const outputsLoader = loaderOf((domain, caller, ids) => domain.outputs(caller, ids));
const deploymentStatusLoader = loaderOf((domain, caller, ids) => domain.deploymentStatuses(caller, ids));
const latestRunLoader = loaderOf((domain, caller, ids) => domain.latestRuns(caller, ids));
const currentRunLoader = loaderOf((domain, caller, ids) => domain.currentRuns(caller, ids));
const stateLockLoader = loaderOf((domain, caller, ids) => domain.stateLocks(caller, ids));

export const OutputRef = builder.objectRef<Output>("Output").implement({
  description: "An output of the last applied configuration.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name of the output." }),
    value: t.expose("value", { type: "JSON", nullable: true, description: "The value. `null` if it is sensitive." }),
    sensitive: t.exposeBoolean("sensitive", { description: "Whether the value is hidden." }),
  }),
});

addNode("workspace", "Workspace", workspaceLoader);
WorkspaceRef.implement({
  extensions: requiredPermissions("WORKSPACE_READ"),
  description: "One configuration with one state, changed by one run at a time.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "The name, unique within the organization." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "The purpose of the workspace. `null` if none was given.",
    }),
    source: t.field({
      type: WorkspaceSourceRef,
      description: "The source of the configuration.",
      resolve: ({ source }) => source,
    }),
    paused: t.exposeBoolean("paused", {
      description: "Whether the workspace is paused, so that none of its runs is admitted or claimed.",
    }),
    organization: t.field({
      type: OrganizationRef,
      description: "The organization of the workspace.",
      resolve: async (workspace, _args, { loaders }) =>
        present(await loaders.load(organizationLoader, workspace.organizationId), `Organization of ${workspace.id}`),
    }),
    planApproval: t.expose("planApproval", {
      type: PlanApprovalModeEnum,
      description: "When a person must accept a plan.",
    }),
    autoApply: t.expose("autoApply", {
      type: AutoApplyEnum,
      description: "The plans that are applied without a person.",
    }),
    lockScope: t.expose("lockScope", {
      type: LockScopeEnum,
      description: "The time for which a run holds the workspace.",
    }),
    interruptApply: t.exposeBoolean("interruptApply", {
      description: "Whether people may stop an apply: the engine is interrupted and saves its state.",
    }),
    tasksAllowed: t.exposeBoolean("tasksAllowed", { description: "Whether runs of kind TASK can be created." }),
    deploymentStatus: t.field({
      type: DeploymentStatusEnum,
      description: "The deployment status, as far as Holdpoint knows.",
      resolve: (workspace, _args, { loaders }) => loaders.load(deploymentStatusLoader, workspace.id),
    }),
    lock: t.field({
      type: WorkspaceLockRef,
      nullable: true,
      description:
        "The lock that a person set or an interrupted apply left. `null` if there is none. The run that holds the workspace is `currentRun`, not a lock.",
      resolve: ({ lock }) => lock,
    }),
    stateLock: t.field({
      type: StateLockRef,
      nullable: true,
      description:
        "The engine's own lock on the state. `null` if it is not held. Runs still begin, and fail if their engine meets the lock.",
      resolve: (workspace, _args, { loaders }) => loaders.load(stateLockLoader, workspace.id),
    }),
    currentRun: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that holds the workspace. `null` if none does.",
      resolve: (workspace, _args, { loaders }) => loaders.load(currentRunLoader, workspace.id),
    }),
    latestRun: t.field({
      type: RunRef,
      nullable: true,
      description: "The newest run of the workspace, of any kind. `null` if it has none.",
      resolve: (workspace, _args, { loaders }) => loaders.load(latestRunLoader, workspace.id),
    }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run with this number. `null` if there is none.",
      args: { number: t.arg.int({ required: true, description: "The number within the workspace, from 1." }) },
      resolve: (workspace, { number }, { caller, domain }) => domain.runByNumber(caller, workspace.id, number),
    }),
    runs: t.field({
      type: RunConnectionRef,
      extensions: requiredPermissions("RUN_READ"),
      description: "The runs of the workspace, newest first.",
      args: runListArgs(),
      resolve: (workspace, args, context, info) => readRuns(context, { workspaceId: workspace.id }, args, info),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When the workspace was created." }),
    outputs: t.field({
      type: [OutputRef],
      description: "The outputs of the last applied state. Sensitive values are never shown.",
      resolve: (workspace, _args, { loaders }) => loaders.load(outputsLoader, workspace.id),
    }),
  }),
});

const WorkspacePathRef = builder.inputType("WorkspacePath", {
  description: "The names that identify a workspace.",
  fields: (t) => ({
    organization: t.string({ required: true, description: "The slug of the organization." }),
    name: t.string({ required: true, description: "The name of the workspace." }),
  }),
});

const WorkspaceByRef = builder.inputType("WorkspaceBy", {
  description: "Identifies a workspace: exactly one of these fields.",
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "The id of the workspace." }),
    path: t.field({
      type: WorkspacePathRef,
      description: "The slug of the organization and the name of the workspace.",
    }),
  }),
});

builder.queryField("workspace", (t) =>
  t.field({
    type: WorkspaceRef,
    nullable: true,
    description: "The workspace with this id or name. `null` if it does not exist, or the caller may not read it.",
    args: { by: t.arg({ type: WorkspaceByRef, required: true, description: "The id or the name of the workspace." }) },
    resolve: (_root, { by }, { caller, domain, loaders }) =>
      by.path === undefined
        ? loaders.load(workspaceLoader, by.id)
        : domain.workspaceByPath(caller, by.path.organization, by.path.name),
  }),
);
