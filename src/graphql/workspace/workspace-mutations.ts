import { workspaceSuccess } from "../kit/success.ts";
import { mutation } from "../kit/mutation.ts";
import { DRIFT_INPUT_WORDS, DriftSettingsInputRef } from "../settings/drift-settings.ts";
import { HookInputRef, HOOKS_INPUT_WORDS } from "../settings/hook.ts";
import { LABELS_INPUT_WORDS } from "../settings/label.ts";
import { rulesInput } from "../settings/rules.ts";
import { runnerChoiceInput } from "../settings/runner-choice.ts";
import { AutoApplyEnum, LockScopeEnum, PlanApprovalModeEnum } from "./workspace-enums.ts";
import { TRIGGER_INPUT_WORDS, WorkspaceTriggerInputRef } from "./workspace-trigger.ts";
import { WorkspaceSourceInputRef } from "./workspace-source.ts";

mutation("createWorkspace", {
  description: "Creates a workspace.",
  argument: "The workspace.",
  input: {
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
      projectId: t.id({ description: "The project of the organization into which it goes. If absent: `default`." }),
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
      labels: t.stringList({ description: LABELS_INPUT_WORDS }),
      expiresAt: t.field({
        type: "DateTime",
        description:
          "When the workspace expires: a run destroys what it manages, then it is deleted. It takes the permission for such runs.",
      }),
      ...runnerChoiceInput(t),
      hooks: t.field({ type: [HookInputRef], description: HOOKS_INPUT_WORDS }),
      trigger: t.field({ type: WorkspaceTriggerInputRef, description: TRIGGER_INPUT_WORDS }),
      drift: t.field({ type: DriftSettingsInputRef, description: DRIFT_INPUT_WORDS }),
      ...rulesInput(t),
    }),
  },
  success: workspaceSuccess("The workspace was created."),
  run: ({ createWorkspace }, caller, { input: { description, ...input } }) =>
    createWorkspace(caller, {
      ...input,
      projectId: input.projectId ?? null,
      description: description ?? null,
    }),
});

export const UnlockWorkspaceSuccessRef = mutation("unlockWorkspace", {
  description: "Removes the lock of a workspace, so that its runs continue.",
  argument: "The workspace to unlock, and how.",
  input: {
    description:
      "The workspace to unlock. `force` is needed for another person's lock, and for APPLY_INTERRUPTED to confirm that the result of the apply was checked.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace to unlock." }),
      force: t.boolean({
        required: true,
        defaultValue: false,
        description:
          "Whether to remove a lock that is not the caller's own. It needs the permission to force an unlock.",
      }),
      note: t.string({ description: "The reason or the result of the check, for later readers." }),
    }),
  },
  success: workspaceSuccess("The workspace is unlocked."),
  run: ({ unlockWorkspace }, caller, { input }) => unlockWorkspace(caller, { ...input, note: input.note ?? null }),
});
