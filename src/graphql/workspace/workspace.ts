import type { Output } from "../../model/workspace/workspace.ts";
import { asksFor } from "../kit/asks-for.ts";
import { builder } from "../kit/builder.ts";
import { present } from "../kit/errors.ts";
import { NodeRef } from "../kit/node.ts";
import { OrganizationRef, RunRef, StateLockRef, WorkspaceLockRef, WorkspaceRef } from "../kit/refs.ts";
import { readRuns, RunConnectionRef, runListArgs } from "../run/run-list.ts";
import { AutoApplyEnum, DeploymentStatusEnum, LockScopeEnum, PlanApprovalModeEnum } from "./workspace-enums.ts";
import { WorkspaceSourceRef } from "./workspace-source.ts";

export const OutputRef = builder.objectRef<Output>("Output").implement({
  description: "An output of the configuration, as it was last applied.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "Its name." }),
    value: t.expose("value", { type: "JSON", nullable: true, description: "Its value; null where it is sensitive." }),
    sensitive: t.exposeBoolean("sensitive", { description: "Whether its value is hidden." }),
  }),
});

WorkspaceRef.implement({
  extensions: asksFor("workspace:read"),
  description: "One configuration with one state, changed by one run at a time.",
  interfaces: [NodeRef],
  fields: (t) => ({
    name: t.exposeString("name", { description: "Unique within the organization." }),
    description: t.exposeString("description", { nullable: true, description: "What it is for." }),
    source: t.field({
      type: WorkspaceSourceRef,
      description: "Where its configuration comes from.",
      resolve: ({ source }) => source,
    }),
    paused: t.exposeBoolean("paused", { description: "Whether its runs are kept from beginning." }),
    organization: t.field({
      type: OrganizationRef,
      description: "The organization that it belongs to.",
      resolve: async (workspace, _args, { loaders }) =>
        present(await loaders.organization.load(workspace.organizationId), `Organization of ${workspace.id}`),
    }),
    planApproval: t.expose("planApproval", {
      type: PlanApprovalModeEnum,
      description: "When a person must accept the plan.",
    }),
    autoApply: t.expose("autoApply", { type: AutoApplyEnum, description: "Which plans are applied without a person." }),
    lockScope: t.expose("lockScope", { type: LockScopeEnum, description: "How long a run has it to itself." }),
    interruptApply: t.exposeBoolean("interruptApply", {
      description: "Whether people may stop an apply: the engine is interrupted and saves its state.",
    }),
    tasksAllowed: t.exposeBoolean("tasksAllowed", { description: "Whether runs of kind TASK can be created." }),
    deploymentStatus: t.field({
      type: DeploymentStatusEnum,
      description: "What runs for it, as far as Holdpoint knows.",
      resolve: (workspace, _args, { loaders }) => loaders.deploymentStatus.load(workspace.id),
    }),
    lock: t.field({
      type: WorkspaceLockRef,
      nullable: true,
      description:
        "Set by a person or left by an interrupted apply; a run that merely holds the workspace is `currentRun`, not a lock.",
      resolve: ({ lock }) => lock,
    }),
    stateLock: t.field({
      type: StateLockRef,
      nullable: true,
      description:
        "The engine's own lock on the state, while somebody holds it. It does not keep runs from beginning: their engines meet it.",
      resolve: (workspace, _args, { loaders }) => loaders.stateLock.load(workspace.id),
    }),
    currentRun: t.field({
      type: RunRef,
      nullable: true,
      description: "The run that holds the workspace, if any.",
      resolve: (workspace, _args, { loaders }) => loaders.currentRun.load(workspace.id),
    }),
    run: t.field({
      type: RunRef,
      nullable: true,
      description: "The run with this number.",
      args: { number: t.arg.int({ required: true, description: "Its number within the workspace, from 1." }) },
      resolve: (workspace, { number }, { caller, domain }) => domain.runByNumber(caller, workspace.id, number),
    }),
    runs: t.field({
      type: RunConnectionRef,
      extensions: asksFor("run:read"),
      description: "Its runs, newest first.",
      args: runListArgs(),
      resolve: (workspace, args, context, info) => readRuns(context, workspace.id, args, info),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    outputs: t.field({
      type: [OutputRef],
      description: "Outputs of the last applied state; sensitive values are never shown.",
      resolve: (workspace, _args, { loaders }) => loaders.outputs.load(workspace.id),
    }),
  }),
});

const WorkspacePathRef = builder.inputType("WorkspacePath", {
  description: "A workspace by its names.",
  fields: (t) => ({
    organization: t.string({ required: true, description: "The slug of the organization." }),
    name: t.string({ required: true, description: "The name of the workspace." }),
  }),
});

const WorkspaceByRef = builder.inputType("WorkspaceBy", {
  description: "How a workspace is named: exactly one of these.",
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "Its id." }),
    path: t.field({ type: WorkspacePathRef, description: "Its organization and its name." }),
  }),
});

builder.queryField("workspace", (t) =>
  t.field({
    type: WorkspaceRef,
    nullable: true,
    description: "One workspace.",
    args: { by: t.arg({ type: WorkspaceByRef, required: true, description: "Which one." }) },
    resolve: (_root, { by }, { caller, domain, loaders }) =>
      by.path === undefined
        ? loaders.workspace.load(by.id)
        : domain.workspaceByPath(caller, by.path.organization, by.path.name),
  }),
);
