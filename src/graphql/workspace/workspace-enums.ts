import type { AutoApply } from "../../model/plan/auto-apply.ts";
import type { PlanApprovalMode } from "../../model/lifecycle/run-machine.ts";
import type { DeploymentStatus, LockScope, WorkspaceLockReason } from "../../model/workspace/workspace.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const PlanApprovalModeEnum = describedEnum<PlanApprovalMode>(
  "PlanApprovalMode",
  "When a person must accept a plan, before the apply is approved.",
  {
    ALWAYS: "Every plan: the plan and the apply are approved separately.",
    WHEN_REQUIRED: "Only plans for which a policy or an approval rule requires it.",
  },
);

export const AutoApplyEnum = describedEnum<AutoApply>(
  "AutoApply",
  "The plans that are applied without a person. None are with `planApproval: ALWAYS`, or for runs of kind DESTROY.",
  {
    NEVER: "No plans: a person starts every apply.",
    CREATE_ONLY: "Plans that only create, read and set new outputs, and invoke no actions.",
    NO_DESTROY: "Plans that delete, replace and forget nothing, and invoke no actions.",
    ALWAYS: "All plans that are complete, also with actions, whose effects a plan does not show.",
  },
);

export const LockScopeEnum = describedEnum<LockScope>(
  "LockScope",
  "The time for which a run holds its workspace. Runs of kind PLAN never hold it.",
  {
    RUN: "From its admission to its end, also while people decide.",
    EXECUTION:
      "While a runner executes the run. At the gates other runs may go first; a plan that becomes stale by that is not applied.",
  },
);

export const DeploymentStatusEnum = describedEnum<DeploymentStatus>(
  "DeploymentStatus",
  "The deployment status of a workspace, as far as Holdpoint knows.",
  {
    PENDING: "Nothing was ever applied: create a run.",
    DEPLOYING: "A run changes the infrastructure, or will next: wait.",
    RUNNING: "The last change was applied.",
    FAILED: "The last change failed: read the failure of the last run.",
    DEGRADED: "The last change was applied, and a part of it does not answer well: read `healthReason`.",
    UNREACHABLE: "The last change was applied, and nothing of it answers: read `healthReason`.",
    PAUSED: "No run begins until the workspace is resumed.",
    DESTROYED: "Everything was removed.",
  },
);

export const WorkspaceLockReasonEnum = describedEnum<WorkspaceLockReason>(
  "WorkspaceLockReason",
  "Why a workspace is locked.",
  {
    MANUAL: "A person locked the workspace. That person, or an admin by force, can unlock it.",
    APPLY_INTERRUPTED:
      "An apply was interrupted, and its result is not known: check the infrastructure, then unlock by force.",
  },
);
