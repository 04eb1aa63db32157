import type { AutoApply } from "../../model/plan/auto-apply.ts";
import type { PlanApprovalMode } from "../../model/lifecycle/run-machine.ts";
import type { DeploymentStatus, LockScope, WorkspaceLockReason } from "../../model/workspace/workspace.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const PlanApprovalModeEnum = describedEnum<PlanApprovalMode>(
  "PlanApprovalMode",
  "When a person must accept a plan before anybody is asked to start the apply.",
  {
    ALWAYS: "Every time: the plan and the apply are approved separately.",
    WHEN_REQUIRED: "Only where a policy or a rule asks for it.",
  },
);

export const AutoApplyEnum = describedEnum<AutoApply>(
  "AutoApply",
  "Which plans are applied without a person. Never with `planApproval: ALWAYS`, and never for DESTROY.",
  {
    NEVER: "None: a person starts every apply.",
    CREATE_ONLY: "Plans that create, read and set new outputs.",
    NO_DESTROY: "Plans that neither delete, replace nor forget anything.",
    ALWAYS: "All plans that are complete.",
  },
);

export const LockScopeEnum = describedEnum<LockScope>(
  "LockScope",
  "How long a run has its workspace to itself. Runs of kind PLAN never have it.",
  {
    RUN: "From its admission to its end, also while people decide.",
    EXECUTION:
      "While it is at work; at the gates others may go first, and a plan that went stale by that is not applied.",
  },
);

export const DeploymentStatusEnum = describedEnum<DeploymentStatus>(
  "DeploymentStatus",
  "What runs for a workspace, as far as Holdpoint knows.",
  {
    PENDING: "Nothing was ever applied: create a run.",
    DEPLOYING: "A run is changing it, or about to: wait.",
    RUNNING: "Something was applied and holds.",
    FAILED: "The last change did not end well: read the failure of the last run.",
    DEGRADED: "It runs, but not well: look at what its health checks say.",
    UNREACHABLE: "Its health checks get no answer.",
    PAUSED: "No run begins until the workspace is resumed.",
    DESTROYED: "Everything was removed.",
  },
  ["DEGRADED", "UNREACHABLE"],
);

export const WorkspaceLockReasonEnum = describedEnum<WorkspaceLockReason>(
  "WorkspaceLockReason",
  "Why a workspace is locked.",
  {
    MANUAL: "A person locked it: that person, or an admin by force, unlocks it.",
    APPLY_INTERRUPTED:
      "An apply was interrupted and nobody knows how far it got: check what it did, then unlock by force.",
  },
);
