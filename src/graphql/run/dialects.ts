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

export const AmnifyStatusEnum = describedEnum<AmnifyStatus>("AmnifyStatus", "A run in Amnify's words.", {
  QUEUED: "Waits to become eligible, or for a runner.",
  PENDING: "A runner prepares it, or another plan was asked for.",
  INITIALIZING: "The engine initialises.",
  PLANNING: "The plan is made or judged.",
  AWAITING_PLAN_APPROVAL: "The plan waits for a review.",
  AWAITING_APPLY_APPROVAL: "The apply waits for a confirmation.",
  APPLYING: "The plan is applied, or about to be.",
  COMPLETED: "Ended well.",
  FAILED: "Ended badly, in time-out or by rejection.",
  DESTROYING: "Everything is being removed.",
  DESTROYED: "Everything was removed.",
  CANCELLED: "Ended without an apply because somebody or something asked for that.",
});

export const SpaceliftStateEnum = describedEnum<SpaceliftState>(
  "SpaceliftState",
  "A run in Spacelift's words.",
  {
    QUEUED: "Waits to become eligible.",
    READY: "Waits for a worker.",
    PREPARING: "A worker prepares the workspace.",
    INITIALIZING: "The engine initialises.",
    PLANNING: "The plan is made or judged.",
    UNCONFIRMED: "Waits for a person.",
    PENDING_REVIEW: "A proposed run waits for a review.",
    CONFIRMED: "Approved, waits for a worker.",
    PREPARING_APPLY: "A worker prepares the apply.",
    APPLYING: "The plan is applied.",
    PERFORMING: "A task is at work.",
    DESTROYING: "Everything is being removed.",
    REPLAN_REQUESTED: "Another plan was asked for.",
    PREPARING_REPLAN: "A worker prepares the other plan.",
    FINISHED: "Ended well.",
    FAILED: "Ended badly, in time-out or by rejection.",
    DISCARDED: "The plan was not wanted.",
    CANCELED: "Ended before a worker had it.",
    STOPPED: "Interrupted while it executed.",
    SKIPPED: "There was nothing to do.",
  },
  ["SKIPPED"],
);

export const ForgecroftStatusEnum = describedEnum<ForgecroftStatus>(
  "ForgecroftStatus",
  "A run in Forgecroft's words.",
  {
    QUEUED: "Waits to begin.",
    IN_PROGRESS: "At work.",
    COMPLETED: "Ended well.",
    FAILED: "Ended badly.",
    TIMED_OUT: "Exceeded a limit of time.",
    PENDING_POLICY: "Policies judge the plan.",
    PENDING_APPROVAL: "Waits for a person.",
    REJECTED: "Refused by a person, a policy or a time-out.",
    ABORTED: "Ended because somebody asked for that.",
    UNLOCKED: "The lock was removed.",
  },
  ["PENDING_POLICY"],
);

export const SmartDeployStatusEnum = describedEnum<SmartDeployStatus>(
  "SmartDeployStatus",
  "A run in SmartDeploy's words.",
  {
    QUEUED: "Waits to begin.",
    DEPLOYING: "Under way, people's decisions included.",
    COMPLETED: "Ended; `success` says how.",
  },
);

export const HcpRunStatusEnum = describedEnum<HcpRunStatus>(
  "HcpRunStatus",
  "A run in the words of HCP Terraform, as that API writes them.",
  {
    pending: "Waits to become eligible.",
    fetching: "The configuration is fetched.",
    plan_queued: "Waits for a runner to plan.",
    planning: "The plan is made.",
    planned: "The plan waits for a confirmation.",
    cost_estimated: "Costs were estimated; waits for a confirmation.",
    policy_checking: "Policies judge the plan.",
    policy_checked: "Policies passed; waits for a confirmation.",
    policy_override: "Waits for a person to accept the plan.",
    policy_soft_failed: "A plan-only run that was not accepted.",
    post_plan_awaiting_decision: "A check after the plan asks for a decision.",
    confirmed: "Confirmed, waits for a runner.",
    apply_queued: "Waits for a runner to apply.",
    applying: "The plan is applied.",
    post_apply_running: "Checks after the apply are at work.",
    applied: "The plan was applied.",
    planned_and_finished: "Ended with a plan that needs no apply.",
    discarded: "The plan was not wanted.",
    errored: "Ended badly.",
    canceled: "Interrupted by a person.",
    force_canceled: "Interrupted by force.",
  },
  ["cost_estimated", "policy_checking", "policy_checked", "post_plan_awaiting_decision", "post_apply_running"],
);

type ForgecroftRuns = RunDialects["forgecroft"] & { planVersion: number | null };

const ForgecroftRunsRef = builder.objectRef<ForgecroftRuns>("ForgecroftRuns").implement({
  description:
    "One run as Forgecroft's several. `planVersion` names the plan run: a replan opens a new one, the older one stays as it ended.",
  fields: (t) => ({
    planVersion: t.exposeInt("planVersion", { nullable: true, description: "Which plan run `plan` is about." }),
    plan: t.expose("plan", {
      type: ForgecroftStatusEnum,
      nullable: true,
      description: "The plan run; null where there is none.",
    }),
    apply: t.expose("apply", {
      type: ForgecroftStatusEnum,
      nullable: true,
      description: "The apply run; null before there is one.",
    }),
    unlock: t.expose("unlock", {
      type: ForgecroftStatusEnum,
      nullable: true,
      description: "The unlock run; null where there is none.",
    }),
    discarded: t.exposeBoolean("discarded", { description: "Whether the plan was discarded." }),
  }),
});

const SmartDeployRunRef = builder.objectRef<RunDialects["smartDeploy"]>("SmartDeployRun").implement({
  description: "A run as SmartDeploy shows it.",
  fields: (t) => ({
    status: t.expose("status", { type: SmartDeployStatusEnum, description: "Where it is." }),
    success: t.exposeBoolean("success", { nullable: true, description: "How it ended; null until then." }),
  }),
});

/** The dialects of a run, with what the plan run of one of them is called. */
export type ShownDialects = Omit<RunDialects, "forgecroft"> & { forgecroft: ForgecroftRuns };

export const RunDialectsRef = builder.objectRef<ShownDialects>("RunDialects").implement({
  description: "The same run in the words of other products, so that a frontend written for one can move over.",
  fields: (t) => ({
    amnify: t.expose("amnify", { type: AmnifyStatusEnum, description: "Amnify." }),
    spacelift: t.expose("spacelift", { type: SpaceliftStateEnum, description: "Spacelift." }),
    forgecroft: t.field({ type: ForgecroftRunsRef, description: "Forgecroft.", resolve: (all) => all.forgecroft }),
    smartDeploy: t.field({ type: SmartDeployRunRef, description: "SmartDeploy.", resolve: (all) => all.smartDeploy }),
    hcp: t.expose("hcp", { type: HcpRunStatusEnum, description: "HCP Terraform." }),
  }),
});
