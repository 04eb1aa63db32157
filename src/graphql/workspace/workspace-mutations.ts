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
  WorkspaceLockedErrorRef,
} from "../kit/user-error.ts";
import { AutoApplyEnum, LockScopeEnum, PlanApprovalModeEnum } from "./workspace-enums.ts";
import { WorkspaceSourceInputRef } from "./workspace-source.ts";
import { workspaceSuccess } from "./workspace-success.ts";

const CreateWorkspaceInputRef = builder.inputType("CreateWorkspaceInput", {
  description: "The workspace to create. Nothing runs until a run is created.",
  fields: (t) => ({
    organization: t.string({
      required: true,
      defaultValue: "default",
      description: "The slug of the organization; `default` exists from the start.",
    }),
    name: t.string({
      required: true,
      description:
        "The name, unique within the organization: 1 to 90 small letters, digits, hyphens, underscores and dots.",
    }),
    description: t.string({ description: "The purpose of the workspace." }),
    source: t.field({
      type: WorkspaceSourceInputRef,
      required: true,
      description: "The source of the configuration.",
    }),
    planApproval: t.field({
      type: PlanApprovalModeEnum,
      required: true,
      defaultValue: "ALWAYS",
      description: "When a person must accept a plan.",
    }),
    autoApply: t.field({
      type: AutoApplyEnum,
      required: true,
      defaultValue: "NEVER",
      description: "The plans that are applied without a person.",
    }),
    lockScope: t.field({
      type: LockScopeEnum,
      description: "The time for which a run holds the workspace. The default is RUN.",
    }),
    interruptApply: t.boolean({ description: "Whether people may stop an apply. The default is false." }),
    tasksAllowed: t.boolean({ description: "Whether runs of kind TASK can be created. The default is false." }),
    runnerPoolId: t.id({ description: RUNNER_INPUT_WORDS.runnerPoolId }),
    runnerLabels: t.stringList({ description: RUNNER_INPUT_WORDS.runnerLabels }),
    hooks: t.field({ type: [HookInputRef], description: HOOKS_INPUT_WORDS }),
    limits: t.field({ type: RunLimitsInputRef, description: POLICY_INPUT_WORDS.limits }),
    approvalRules: t.field({ type: [ApprovalRuleInputRef], description: POLICY_INPUT_WORDS.approvalRules }),
    freezeWindows: t.field({ type: [FreezeWindowInputRef], description: POLICY_INPUT_WORDS.freezeWindows }),
  }),
});

const CreateWorkspaceSuccessRef = workspaceSuccess("CreateWorkspaceSuccess", "The workspace was created.");

const CreateWorkspaceResultRef = builder.unionType("CreateWorkspaceResult", {
  description: "The result of `createWorkspace`.",
  types: [CreateWorkspaceSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, NameTakenErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("createWorkspace", (t) =>
  t.field({
    type: CreateWorkspaceResultRef,
    description: "Creates a workspace.",
    args: { input: t.arg({ type: CreateWorkspaceInputRef, required: true, description: "The workspace." }) },
    resolve: (_root, { input: { description, ...input } }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "NameTakenError"], async () => ({
        type: "CreateWorkspaceSuccess" as const,
        workspace: await context.domain.createWorkspace(context.caller, {
          ...input,
          description: description ?? null,
        }),
      })),
  }),
);

const UnlockWorkspaceInputRef = builder.inputType("UnlockWorkspaceInput", {
  description:
    "The workspace to unlock. `force` is needed for another person's lock, and for APPLY_INTERRUPTED to confirm that the result of the apply was checked.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace to unlock." }),
    force: t.boolean({
      required: true,
      defaultValue: false,
      description: "Whether to remove a lock that is not the caller's own. It needs the permission to force an unlock.",
    }),
    note: t.string({ description: "The reason or the result of the check, for later readers." }),
  }),
});

export const UnlockWorkspaceSuccessRef = workspaceSuccess("UnlockWorkspaceSuccess", "The workspace is unlocked.");

const UnlockWorkspaceResultRef = builder.unionType("UnlockWorkspaceResult", {
  description: "The result of `unlockWorkspace`.",
  types: [
    UnlockWorkspaceSuccessRef,
    InvalidInputErrorRef,
    NotFoundErrorRef,
    ForbiddenErrorRef,
    WorkspaceLockedErrorRef,
  ],
  resolveType: ({ type }) => type,
});

builder.mutationField("unlockWorkspace", (t) =>
  t.field({
    type: UnlockWorkspaceResultRef,
    description: "Removes the lock of a workspace, so that its runs continue.",
    args: {
      input: t.arg({ type: UnlockWorkspaceInputRef, required: true, description: "The workspace to unlock, and how." }),
    },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "WorkspaceLockedError"], async () => ({
        type: "UnlockWorkspaceSuccess" as const,
        workspace: await context.domain.unlockWorkspace(context.caller, { ...input, note: input.note ?? null }),
      })),
  }),
);
