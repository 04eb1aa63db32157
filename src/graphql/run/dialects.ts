import type {
  AmnifyStatus,
  ForgecroftStatus,
  HcpRunStatus,
  RunDialects,
  SmartDeployStatus,
  SpaceliftState,
} from "../../model/lifecycle/dialects.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const AmnifyStatusEnum = describedEnum<AmnifyStatus>("AmnifyStatus", "The status of a run in Amnify's terms.", {
  QUEUED: "The run waits to become eligible, or for a runner.",
  PENDING: "A runner prepares the run, or another plan was requested.",
  INITIALIZING: "The engine initialises.",
  PLANNING: "The plan is made or checked by policies.",
  AWAITING_PLAN_APPROVAL: "The plan waits for review.",
  AWAITING_APPLY_APPROVAL: "The apply waits for confirmation.",
  APPLYING: "The plan is applied, or will be next.",
  COMPLETED: "The run ended well.",
  FAILED: "The run failed, timed out or was rejected.",
  DESTROYING: "Everything is being removed.",
  DESTROYED: "Everything was removed.",
  CANCELLED: "The run was canceled, discarded, stopped or skipped.",
});

export const SpaceliftStateEnum = describedEnum<SpaceliftState>(
  "SpaceliftState",
  "The state of a run in Spacelift's terms.",
  {
    QUEUED: "The run waits to become eligible.",
    READY: "The run waits for a worker.",
    PREPARING: "A worker prepares the workspace.",
    INITIALIZING: "The engine initialises.",
    PLANNING: "The plan is made or checked by policies.",
    UNCONFIRMED: "The run waits for a person.",
    PENDING_REVIEW: "A proposed run waits for a review.",
    CONFIRMED: "The apply is approved and waits for a worker.",
    PREPARING_APPLY: "A worker prepares the apply.",
    APPLYING: "The plan is applied.",
    PERFORMING: "A task is executing.",
    DESTROYING: "Everything is being removed.",
    REPLAN_REQUESTED: "Another plan was requested.",
    PREPARING_REPLAN: "A worker prepares the other plan.",
    FINISHED: "The run ended well.",
    FAILED: "The run failed, timed out or was rejected.",
    DISCARDED: "The plan was discarded.",
    CANCELED: "The run was canceled before a worker took it.",
    STOPPED: "The run was interrupted while it executed.",
    SKIPPED: "There was nothing to do.",
  },
);

export const ForgecroftStatusEnum = describedEnum<ForgecroftStatus>(
  "ForgecroftStatus",
  "The status of a run in Forgecroft's terms.",
  {
    QUEUED: "The run waits to begin.",
    IN_PROGRESS: "The run is executing.",
    COMPLETED: "The run ended well.",
    FAILED: "The run failed.",
    TIMED_OUT: "The run exceeded a time limit.",
    PENDING_POLICY: "Policies check the plan.",
    PENDING_APPROVAL: "The run waits for a person.",
    REJECTED: "A person, a policy or a time-out rejected the run.",
    ABORTED: "The run was canceled, discarded or stopped.",
    UNLOCKED: "The lock was removed.",
  },
);

export const SmartDeployStatusEnum = describedEnum<SmartDeployStatus>(
  "SmartDeployStatus",
  "The status of a run in SmartDeploy's terms.",
  {
    QUEUED: "The run waits to begin.",
    DEPLOYING: "The run is live, possibly waiting for a person.",
    COMPLETED: "The run has ended; `success` shows how.",
  },
);

export const HcpRunStatusEnum = describedEnum<HcpRunStatus>(
  "HcpRunStatus",
  "The status of a run in HCP Terraform's terms, as its API writes it.",
  {
    pending: "The run waits to become eligible.",
    fetching: "The configuration is fetched.",
    plan_queued: "The run waits for a runner to plan.",
    planning: "The plan is made.",
    planned: "The plan waits for confirmation.",
    cost_estimated: "Costs were estimated; the plan waits for confirmation.",
    policy_checking: "Policies check the plan.",
    policy_checked: "Policies passed; the plan waits for confirmation.",
    policy_override: "The run waits for a person to accept the plan.",
    policy_soft_failed: "A policy did not accept a plan-only run.",
    post_plan_awaiting_decision: "A check after the plan asks for a decision.",
    confirmed: "The run is confirmed and waits for a runner.",
    apply_queued: "The run waits for a runner to apply.",
    applying: "The plan is applied.",
    post_apply_running: "Checks after the apply are executing.",
    applied: "The plan was applied.",
    planned_and_finished: "The run ended with a plan that needs no apply.",
    discarded: "The plan was discarded.",
    errored: "The run failed.",
    canceled: "A person interrupted the run.",
    force_canceled: "The run was interrupted by force.",
  },
  ["cost_estimated", "policy_checked", "post_plan_awaiting_decision"],
);

type ForgecroftRuns = RunDialects["forgecroft"] & { planVersion: number | null };

const ForgecroftRunsRef = builder.objectRef<ForgecroftRuns>("ForgecroftRuns").implement({
  description:
    "The runs of Forgecroft that correspond to one run: plan, apply, unlock. A replan opens a new plan run; `planVersion` names it.",
  fields: (t) => ({
    planVersion: t.exposeInt("planVersion", {
      nullable: true,
      description: "The version of the plan run that `plan` shows. `null` if there is none.",
    }),
    plan: t.expose("plan", {
      type: ForgecroftStatusEnum,
      nullable: true,
      description: "The status of the plan run. `null` if there is none.",
    }),
    apply: t.expose("apply", {
      type: ForgecroftStatusEnum,
      nullable: true,
      description: "The status of the apply run. `null` before there is one.",
    }),
    unlock: t.expose("unlock", {
      type: ForgecroftStatusEnum,
      nullable: true,
      description: "The status of the unlock run. `null` if there is none.",
    }),
    discarded: t.exposeBoolean("discarded", { description: "Whether the plan was discarded." }),
  }),
});

const SmartDeployRunRef = builder.objectRef<RunDialects["smartDeploy"]>("SmartDeployRun").implement({
  description: "The status and result of a run in SmartDeploy's terms.",
  fields: (t) => ({
    status: t.expose("status", { type: SmartDeployStatusEnum, description: "The status." }),
    success: t.exposeBoolean("success", {
      nullable: true,
      description: "Whether the run succeeded. `null` if it is live.",
    }),
  }),
});

/** The dialects of a run, with the version of its plan run in Forgecroft. */
export type ShownDialects = Omit<RunDialects, "forgecroft"> & { forgecroft: ForgecroftRuns };

export const RunDialectsRef = builder.objectRef<ShownDialects>("RunDialects").implement({
  description: "The status of a run in the terms of other products, for front ends that were written for them.",
  fields: (t) => ({
    amnify: t.expose("amnify", { type: AmnifyStatusEnum, description: "The status in Amnify's terms." }),
    spacelift: t.expose("spacelift", { type: SpaceliftStateEnum, description: "The state in Spacelift's terms." }),
    forgecroft: t.field({
      type: ForgecroftRunsRef,
      description: "The runs in Forgecroft's terms.",
      resolve: (all) => all.forgecroft,
    }),
    smartDeploy: t.field({
      type: SmartDeployRunRef,
      description: "The status in SmartDeploy's terms.",
      resolve: (all) => all.smartDeploy,
    }),
    hcp: t.expose("hcp", { type: HcpRunStatusEnum, description: "The status in HCP Terraform's terms." }),
  }),
});
