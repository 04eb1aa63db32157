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
  description: "A new workspace. Nothing runs until a run is created.",
  fields: (t) => ({
    organization: t.string({
      required: true,
      defaultValue: "default",
      description: "Slug; the organization `default` exists from the start.",
    }),
    name: t.string({
      required: true,
      description: "Unique within the organization: small letters, digits, hyphens, underscores and dots; at most 90.",
    }),
    description: t.string({ description: "What it is for." }),
    source: t.field({
      type: WorkspaceSourceInputRef,
      required: true,
      description: "Where its configuration comes from.",
    }),
    planApproval: t.field({
      type: PlanApprovalModeEnum,
      required: true,
      defaultValue: "ALWAYS",
      description: "When a person must accept the plan.",
    }),
    autoApply: t.field({
      type: AutoApplyEnum,
      required: true,
      defaultValue: "NEVER",
      description: "Which plans are applied without a person.",
    }),
    lockScope: t.field({
      type: LockScopeEnum,
      description: "How long a run has the workspace to itself; absent: RUN.",
    }),
    interruptApply: t.boolean({ description: "Whether people may stop an apply; absent: no." }),
    tasksAllowed: t.boolean({ description: "Whether runs of kind TASK can be created; absent: no." }),
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
  description: "What came of `createWorkspace`.",
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
  description: "`force`: somebody else's lock, or APPLY_INTERRUPTED (says: I have checked what the apply did).",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace to unlock." }),
    force: t.boolean({
      required: true,
      defaultValue: false,
      description: "Remove the lock although it is not one's own; a right of its own.",
    }),
    note: t.string({ description: "What was checked, for those who read about it later." }),
  }),
});

export const UnlockWorkspaceSuccessRef = workspaceSuccess(
  "UnlockWorkspaceSuccess",
  "The workspace has no lock any more.",
);

const UnlockWorkspaceResultRef = builder.unionType("UnlockWorkspaceResult", {
  description: "What came of `unlockWorkspace`.",
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
    description: "Removes the lock of a workspace, so that its runs go on.",
    args: { input: t.arg({ type: UnlockWorkspaceInputRef, required: true, description: "Which one, and how." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "WorkspaceLockedError"], async () => ({
        type: "UnlockWorkspaceSuccess" as const,
        workspace: await context.domain.unlockWorkspace(context.caller, { ...input, note: input.note ?? null }),
      })),
  }),
);
