/** The commands on an existing workspace: change its settings, lock it, delete it. */
import { answer } from "../kit/answer.ts";
import { ApprovalRuleInputRef } from "../approval/approval-rule.ts";
import { FreezeWindowInputRef } from "../settings/freeze-window.ts";
import { HookInputRef, HOOKS_INPUT_WORDS } from "../settings/hook.ts";
import { POLICY_INPUT_WORDS } from "../settings/rules.ts";
import { RUNNER_INPUT_WORDS } from "../settings/runner-choice.ts";
import { RunLimitsInputRef } from "../settings/run-limits.ts";
import { builder } from "../kit/builder.ts";
import {
  ForbiddenErrorRef,
  InvalidInputErrorRef,
  NameTakenErrorRef,
  NotFoundErrorRef,
  RunStateConflictErrorRef,
  WorkspaceLockedErrorRef,
} from "../kit/user-error.ts";
import { AutoApplyEnum, LockScopeEnum, PlanApprovalModeEnum } from "./workspace-enums.ts";
import { WorkspaceSourceInputRef } from "./workspace-source.ts";
import { workspaceSuccess } from "./workspace-success.ts";

const UpdateWorkspaceInputRef = builder.inputType("UpdateWorkspaceInput", {
  description:
    "The changes to a workspace. An absent field is not changed; null clears `description` and is invalid elsewhere.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace to change." }),
    name: t.string({
      description: "The name, unique within the organization; the format is that of `createWorkspace`.",
    }),
    description: t.string({ description: "The purpose of the workspace." }),
    source: t.field({ type: WorkspaceSourceInputRef, description: "The source of the configuration of later runs." }),
    planApproval: t.field({
      type: PlanApprovalModeEnum,
      description: "When a person must accept a plan. Changing this needs the permission to approve.",
    }),
    autoApply: t.field({
      type: AutoApplyEnum,
      description: "The plans that are applied without a person. Changing this needs the permission to approve.",
    }),
    lockScope: t.field({ type: LockScopeEnum, description: "The time for which a run holds the workspace." }),
    interruptApply: t.boolean({
      description: "Whether people may stop an apply. Changing this needs the permission to approve.",
    }),
    tasksAllowed: t.boolean({
      description: "Whether runs of kind TASK can be created. Changing this needs the permission to approve.",
    }),
    runnerPoolId: t.id({ description: RUNNER_INPUT_WORDS.runnerPoolId }),
    runnerLabels: t.stringList({ description: RUNNER_INPUT_WORDS.runnerLabels }),
    hooks: t.field({ type: [HookInputRef], description: HOOKS_INPUT_WORDS }),
    limits: t.field({ type: RunLimitsInputRef, description: POLICY_INPUT_WORDS.limits }),
    approvalRules: t.field({ type: [ApprovalRuleInputRef], description: POLICY_INPUT_WORDS.approvalRules }),
    freezeWindows: t.field({ type: [FreezeWindowInputRef], description: POLICY_INPUT_WORDS.freezeWindows }),
    paused: t.boolean({
      description:
        "Whether the workspace is paused: no run is admitted or claimed, and executing runs continue. `false` lets waiting runs continue.",
    }),
  }),
});
const UpdateWorkspaceSuccessRef = workspaceSuccess("UpdateWorkspaceSuccess", "The workspace was changed.");
const UpdateWorkspaceResultRef = builder.unionType("UpdateWorkspaceResult", {
  description: "The result of `updateWorkspace`.",
  types: [UpdateWorkspaceSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, NameTakenErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("updateWorkspace", (t) =>
  t.field({
    type: UpdateWorkspaceResultRef,
    description: "Changes the settings of a workspace.",
    args: {
      input: t.arg({ type: UpdateWorkspaceInputRef, required: true, description: "The workspace and its changes." }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "NameTakenError"], async () => ({
        type: "UpdateWorkspaceSuccess" as const,
        workspace: await context.domain.updateWorkspace(context.caller, input),
      })),
  }),
);

const LockWorkspaceInputRef = builder.inputType("LockWorkspaceInput", {
  description: "The lock to set. If the caller holds the lock already, its note and its expiry are changed.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace to lock." }),
    note: t.string({ description: "The reason, for people who have to wait." }),
    expiresAt: t.field({ type: "DateTime", description: "When the lock expires. If absent, it never expires." }),
  }),
});
const LockWorkspaceSuccessRef = workspaceSuccess("LockWorkspaceSuccess", "The workspace is locked by the caller.");
const LockWorkspaceResultRef = builder.unionType("LockWorkspaceResult", {
  description: "The result of `lockWorkspace`.",
  types: [LockWorkspaceSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, WorkspaceLockedErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("lockWorkspace", (t) =>
  t.field({
    type: LockWorkspaceResultRef,
    description:
      "Locks a workspace: no run begins and nothing is applied until it is unlocked. An executing run continues, and gates stay open.",
    args: { input: t.arg({ type: LockWorkspaceInputRef, required: true, description: "The lock." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "WorkspaceLockedError"], async () => ({
        type: "LockWorkspaceSuccess" as const,
        workspace: await context.domain.lockWorkspace(context.caller, {
          workspaceId: input.workspaceId,
          note: input.note ?? null,
          expiresAt: input.expiresAt ?? null,
        }),
      })),
  }),
);

const DeleteWorkspaceInputRef = builder.inputType("DeleteWorkspaceInput", {
  description:
    "The workspace to delete. It is refused while a run is live, and without `force` while the state has resources.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace to delete." }),
    force: t.boolean({
      required: true,
      defaultValue: false,
      description:
        "Whether to delete the workspace although its state has resources. The resources continue to exist, unmanaged.",
    }),
  }),
});
const DeleteWorkspaceSuccessRef = builder
  .objectRef<{ type: "DeleteWorkspaceSuccess"; deletedId: string }>("DeleteWorkspaceSuccess")
  .implement({
    description: "The workspace and its runs are deleted; its name is free.",
    fields: (t) => ({ deletedId: t.exposeID("deletedId", { description: "The id of the workspace." }) }),
  });
const DELETE_ERRORS = [
  "InvalidInputError",
  "NotFoundError",
  "ForbiddenError",
  "WorkspaceLockedError",
  "RunStateConflictError",
] as const;
const DeleteWorkspaceResultRef = builder.unionType("DeleteWorkspaceResult", {
  description: "The result of `deleteWorkspace`.",
  types: [
    DeleteWorkspaceSuccessRef,
    InvalidInputErrorRef,
    NotFoundErrorRef,
    ForbiddenErrorRef,
    WorkspaceLockedErrorRef,
    RunStateConflictErrorRef,
  ],
  resolveType: ({ type }) => type,
});

builder.mutationField("deleteWorkspace", (t) =>
  t.field({
    type: DeleteWorkspaceResultRef,
    description:
      "Deletes a workspace with its runs. It does not remove infrastructure: create a run of kind DESTROY first.",
    args: {
      input: t.arg({ type: DeleteWorkspaceInputRef, required: true, description: "The workspace to delete, and how." }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, DELETE_ERRORS, async () => ({
        type: "DeleteWorkspaceSuccess" as const,
        deletedId: await context.domain.deleteWorkspace(context.caller, input),
      })),
  }),
);
