/** The commands on an existing workspace: change its settings, lock it, delete it. */
import { workspaceSuccess, deletedSuccess } from "../kit/success.ts";
import { mutation } from "../kit/mutation.ts";
import { DRIFT_INPUT_WORDS, DriftSettingsInputRef } from "../settings/drift-settings.ts";
import { HookInputRef, HOOKS_INPUT_WORDS } from "../settings/hook.ts";
import { LABELS_INPUT_WORDS } from "../settings/label.ts";
import { ProbeInputRef, PROBES_INPUT_WORDS, toProbe } from "../settings/probe.ts";
import { rulesInput } from "../settings/rules.ts";
import { runnerChoiceInput } from "../settings/runner-choice.ts";
import { readSettingsInput } from "../settings/settings-digest.ts";
import { AutoApplyEnum, LockScopeEnum, PlanApprovalModeEnum } from "./workspace-enums.ts";
import { DeployShapeEnum, TestModeEnum } from "./deploy-shape.ts";
import { TRIGGER_INPUT_WORDS, WorkspaceTriggerInputRef } from "./workspace-trigger.ts";
import { ROLLBACK_INPUT_WORDS, RollbackSettingsInputRef } from "./rollback-settings.ts";
import { VERIFICATION_INPUT_WORDS, VerificationSettingsInputRef } from "./verification-settings.ts";
import { GitSourceChangeInputRef, WorkspaceSourceInputRef } from "./workspace-source.ts";

mutation("updateWorkspace", {
  description: "Changes the settings of a workspace.",
  argument: "The workspace and its changes.",
  input: {
    description:
      "The changes to a workspace. An absent field is not changed; null clears `description` and is invalid elsewhere.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace to change." }),
      ...readSettingsInput(t),
      name: t.string({
        description: "The name, unique within the organization; the format is that of `createWorkspace`.",
      }),
      description: t.string({ description: "The purpose of the workspace." }),
      source: t.field({
        type: WorkspaceSourceInputRef,
        description: "The source of the configuration of later runs, as a whole. Not together with `gitSource`.",
      }),
      gitSource: t.field({
        type: GitSourceChangeInputRef,
        description:
          "Changes the git source that the workspace has. Two callers who change different fields keep both changes.",
      }),
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
      labels: t.stringList({ description: LABELS_INPUT_WORDS }),
      expiresAt: t.field({
        type: "DateTime",
        description:
          "When the workspace expires: a run destroys what it manages, then it is deleted. It takes the permission for such runs. Null lets it live on. To set one, or an earlier one, takes the permission to delete the workspace as well.",
      }),
      ...runnerChoiceInput(t),
      hooks: t.field({ type: [HookInputRef], description: HOOKS_INPUT_WORDS }),
      trigger: t.field({ type: WorkspaceTriggerInputRef, description: TRIGGER_INPUT_WORDS }),
      probes: t.field({ type: [ProbeInputRef], description: PROBES_INPUT_WORDS }),
      drift: t.field({ type: DriftSettingsInputRef, description: DRIFT_INPUT_WORDS }),
      verificationSettings: t.field({ type: VerificationSettingsInputRef, description: VERIFICATION_INPUT_WORDS }),
      rollbackSettings: t.field({ type: RollbackSettingsInputRef, description: ROLLBACK_INPUT_WORDS }),
      tests: t.field({
        type: TestModeEnum,
        description:
          "The tests of the configuration that runs execute before their plan. Changing this needs the permission to change gates.",
      }),
      deployShape: t.field({
        type: DeployShapeEnum,
        description: "The shape of what the workspace deploys. Null: what a DETECT hook found holds.",
      }),
      hasStartCommand: t.boolean({
        description:
          "Whether what it deploys has a command that starts a server. Null: what a DETECT hook found holds.",
      }),
      ...rulesInput(t),
      paused: t.boolean({
        description:
          "Whether the workspace is paused: no run is admitted or claimed, and executing runs continue. `false` lets waiting runs continue.",
      }),
    }),
  },
  success: workspaceSuccess("The workspace was changed."),
  run: ({ updateWorkspace }, caller, { input: { probes, ...input } }) =>
    updateWorkspace(caller, { ...input, ...(probes !== undefined && { probes: probes?.map(toProbe) ?? null }) }),
});

mutation("lockWorkspace", {
  description:
    "Locks a workspace: no run begins and nothing is applied until it is unlocked. An executing run continues, and gates stay open.",
  argument: "The lock.",
  input: {
    description: "The lock to set. If the caller holds the lock already, its note and its expiry are changed.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace to lock." }),
      note: t.string({ description: "The reason, for people who have to wait." }),
      expiresAt: t.field({ type: "DateTime", description: "When the lock expires. If absent, it never expires." }),
    }),
  },
  success: workspaceSuccess("The workspace is locked by the caller."),
  run: ({ lockWorkspace }, caller, { input }) =>
    lockWorkspace(caller, {
      workspaceId: input.workspaceId,
      note: input.note ?? null,
      expiresAt: input.expiresAt ?? null,
    }),
});

mutation("deleteWorkspace", {
  description:
    "Deletes a workspace with its runs. It does not remove infrastructure: create a run of kind DESTROY first.",
  argument: "The workspace to delete, and how.",
  input: {
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
  },
  success: deletedSuccess("The workspace and its runs are deleted; its name is free.", "The id of the workspace."),
  run: ({ deleteWorkspace }, caller, { input }) => deleteWorkspace(caller, input),
});
