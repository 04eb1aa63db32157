/** What people change about a workspace after its creation: its settings, its lock, and that it exists. */
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
  description: "An absent field stays; null clears `description` and is invalid elsewhere.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace to change." }),
    name: t.string({ description: "Unique within the organization; written as in `createWorkspace`." }),
    description: t.string({ description: "What it is for." }),
    source: t.field({ type: WorkspaceSourceInputRef, description: "Where later runs get their configuration from." }),
    planApproval: t.field({
      type: PlanApprovalModeEnum,
      description: "When a person must accept the plan. Whoever changes this must be allowed to approve.",
    }),
    autoApply: t.field({
      type: AutoApplyEnum,
      description: "Which plans are applied without a person. Whoever changes this must be allowed to approve.",
    }),
    lockScope: t.field({ type: LockScopeEnum, description: "How long a run has the workspace to itself." }),
    interruptApply: t.boolean({
      description: "Whether people may stop an apply. Whoever changes this must be allowed to approve.",
    }),
    tasksAllowed: t.boolean({
      description: "Whether runs of kind TASK can be created. Whoever changes this must be allowed to approve.",
    }),
    runnerPoolId: t.id({ description: RUNNER_INPUT_WORDS.runnerPoolId }),
    runnerLabels: t.stringList({ description: RUNNER_INPUT_WORDS.runnerLabels }),
    hooks: t.field({ type: [HookInputRef], description: HOOKS_INPUT_WORDS }),
    limits: t.field({ type: RunLimitsInputRef, description: POLICY_INPUT_WORDS.limits }),
    approvalRules: t.field({ type: [ApprovalRuleInputRef], description: POLICY_INPUT_WORDS.approvalRules }),
    freezeWindows: t.field({ type: [FreezeWindowInputRef], description: POLICY_INPUT_WORDS.freezeWindows }),
    paused: t.boolean({
      description: "true: no run is admitted or claimed any more, those at work go on; false: what waited goes on.",
    }),
  }),
});
const UpdateWorkspaceSuccessRef = workspaceSuccess("UpdateWorkspaceSuccess", "The workspace was changed.");
const UpdateWorkspaceResultRef = builder.unionType("UpdateWorkspaceResult", {
  description: "What came of `updateWorkspace`.",
  types: [UpdateWorkspaceSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, NameTakenErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("updateWorkspace", (t) =>
  t.field({
    type: UpdateWorkspaceResultRef,
    description: "Changes the settings of a workspace.",
    args: { input: t.arg({ type: UpdateWorkspaceInputRef, required: true, description: "What to change." }) },
    resolve: (_root, { input }, context) =>
      answer(context, ["InvalidInputError", "NotFoundError", "ForbiddenError", "NameTakenError"], async () => ({
        type: "UpdateWorkspaceSuccess" as const,
        workspace: await context.domain.updateWorkspace(context.caller, input),
      })),
  }),
);

const LockWorkspaceInputRef = builder.inputType("LockWorkspaceInput", {
  description: "A lock of one's own; whoever has it already changes its note and its end.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace to lock." }),
    note: t.string({ description: "Why, for those who have to wait." }),
    expiresAt: t.field({ type: "DateTime", description: "When the lock ends by itself; absent: never." }),
  }),
});
const LockWorkspaceSuccessRef = workspaceSuccess("LockWorkspaceSuccess", "The workspace is locked by the caller.");
const LockWorkspaceResultRef = builder.unionType("LockWorkspaceResult", {
  description: "What came of `lockWorkspace`.",
  types: [LockWorkspaceSuccessRef, InvalidInputErrorRef, NotFoundErrorRef, ForbiddenErrorRef, WorkspaceLockedErrorRef],
  resolveType: ({ type }) => type,
});

builder.mutationField("lockWorkspace", (t) =>
  t.field({
    type: LockWorkspaceResultRef,
    description:
      "Locks a workspace: no run begins and nothing is applied until the lock is gone. A run at work goes on; gates stay open.",
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
  description: "Refused while a run is live, and while the state still has resources unless `force`.",
  fields: (t) => ({
    workspaceId: t.id({ required: true, description: "The workspace to delete." }),
    force: t.boolean({
      required: true,
      defaultValue: false,
      description: "Delete it although its state has resources: they go on to exist, and nothing knows of them.",
    }),
  }),
});
const DeleteWorkspaceSuccessRef = builder
  .objectRef<{ type: "DeleteWorkspaceSuccess"; deletedId: string }>("DeleteWorkspaceSuccess")
  .implement({
    description: "The workspace and its runs are not found any more; its name is free.",
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
  description: "What came of `deleteWorkspace`.",
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
    description: "Deletes a workspace with its runs. To remove what it deployed, destroy that first.",
    args: { input: t.arg({ type: DeleteWorkspaceInputRef, required: true, description: "Which one, and how." }) },
    resolve: (_root, { input }, context) =>
      answer(context, DELETE_ERRORS, async () => ({
        type: "DeleteWorkspaceSuccess" as const,
        deletedId: await context.domain.deleteWorkspace(context.caller, input),
      })),
  }),
);
