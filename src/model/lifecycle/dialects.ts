/** Shows a run in the terms of each product, by tables over status, leg, kind and outcome. */
import { isApplyLeg, type RunKind, type RunLeg, type RunOutcome } from "./run-kind.ts";
import type { RunPosition } from "./legal-changes.ts";
import { isTerminal, type RunStatus } from "./run-status.ts";

export const AMNIFY_STATUSES = [
  "QUEUED",
  "PENDING",
  "INITIALIZING",
  "PLANNING",
  "AWAITING_PLAN_APPROVAL",
  "AWAITING_APPLY_APPROVAL",
  "APPLYING",
  "COMPLETED",
  "FAILED",
  "DESTROYING",
  "DESTROYED",
  "CANCELLED",
] as const;
export type AmnifyStatus = (typeof AMNIFY_STATUSES)[number];

export const SPACELIFT_STATES = [
  "QUEUED",
  "READY",
  "PREPARING",
  "INITIALIZING",
  "PLANNING",
  "UNCONFIRMED",
  "PENDING_REVIEW",
  "CONFIRMED",
  "PREPARING_APPLY",
  "APPLYING",
  "PERFORMING",
  "DESTROYING",
  "REPLAN_REQUESTED",
  "PREPARING_REPLAN",
  "FINISHED",
  "FAILED",
  "DISCARDED",
  "CANCELED",
  "STOPPED",
  "SKIPPED",
] as const;
export type SpaceliftState = (typeof SPACELIFT_STATES)[number];

export const FORGECROFT_STATUSES = [
  "QUEUED",
  "IN_PROGRESS",
  "COMPLETED",
  "FAILED",
  "TIMED_OUT",
  "PENDING_POLICY",
  "PENDING_APPROVAL",
  "REJECTED",
  "ABORTED",
  "UNLOCKED",
] as const;
export type ForgecroftStatus = (typeof FORGECROFT_STATUSES)[number];

export const SMART_DEPLOY_STATUSES = ["QUEUED", "DEPLOYING", "COMPLETED"] as const;
export type SmartDeployStatus = (typeof SMART_DEPLOY_STATUSES)[number];

export const HCP_STATUSES = [
  "pending",
  "fetching",
  "plan_queued",
  "planning",
  "planned",
  "cost_estimated",
  "policy_checking",
  "policy_checked",
  "policy_override",
  "policy_soft_failed",
  "post_plan_awaiting_decision",
  "confirmed",
  "apply_queued",
  "applying",
  "post_apply_running",
  "applied",
  "planned_and_finished",
  "discarded",
  "errored",
  "canceled",
  "force_canceled",
] as const;
export type HcpRunStatus = (typeof HCP_STATUSES)[number];

export interface RunDialects {
  amnify: AmnifyStatus;
  spacelift: SpaceliftState;
  forgecroft: {
    plan: ForgecroftStatus | null;
    apply: ForgecroftStatus | null;
    unlock: ForgecroftStatus | null;
    discarded: boolean;
  };
  smartDeploy: { status: SmartDeployStatus; success: boolean | null };
  hcp: HcpRunStatus;
}

/** A cell of a table: a word, or a function of the run's position. */
type Cell<Word> = Word | ((position: RunPosition) => Word);
type Table<Word> = Record<RunStatus, Cell<Word>>;

function read<Word extends string | null>(table: Table<Word>, position: RunPosition): Word {
  const cell = table[position.status];
  return typeof cell === "function" ? cell(position) : cell;
}

const byLeg =
  <Word>(words: Partial<Record<RunLeg, Word>>, otherwise: Word) =>
  ({ leg }: RunPosition): Word =>
    words[leg] ?? otherwise;
const byKind =
  <Word>(words: Partial<Record<RunKind, Word>>, otherwise: Word) =>
  ({ kind }: RunPosition): Word =>
    words[kind] ?? otherwise;
const byOutcome =
  <Word extends string>(words: Partial<Record<RunOutcome, Cell<Word>>>, otherwise: Word) =>
  (position: RunPosition): Word => {
    const cell = position.outcome === null ? otherwise : (words[position.outcome] ?? otherwise);
    return typeof cell === "function" ? cell(position) : cell;
  };

const AMNIFY: Table<AmnifyStatus> = {
  QUEUED: "QUEUED",
  READY: "QUEUED",
  PREPARING: byLeg({ APPLY: "APPLYING", DESTROY: "DESTROYING" }, "PENDING"),
  INITIALIZING: byLeg({ APPLY: "APPLYING", DESTROY: "DESTROYING" }, "INITIALIZING"),
  PLANNING: "PLANNING",
  POLICY_CHECKING: "PLANNING",
  AWAITING_PLAN_APPROVAL: "AWAITING_PLAN_APPROVAL",
  AWAITING_APPLY_APPROVAL: "AWAITING_APPLY_APPROVAL",
  REPLAN_REQUESTED: "PENDING",
  CONFIRMED: byLeg({ DESTROY: "DESTROYING", TASK: "PENDING" }, "APPLYING"),
  APPLYING: byLeg({ DESTROY: "DESTROYING" }, "APPLYING"),
  VERIFYING: byLeg({ DESTROY: "DESTROYING" }, "APPLYING"),
  PERFORMING: "APPLYING",
  FINISHED: byOutcome(
    {
      NO_CHANGES: byKind({ DESTROY: "DESTROYED" }, "COMPLETED"),
      DESTROYED: "DESTROYED",
      APPLY_SKIPPED: "CANCELLED",
    },
    "COMPLETED",
  ),
  FAILED: "FAILED",
  TIMED_OUT: "FAILED",
  REJECTED: "FAILED",
  DISCARDED: "CANCELLED",
  CANCELED: "CANCELLED",
  STOPPED: "CANCELLED",
  SKIPPED: "CANCELLED",
};

const SPACELIFT: Table<SpaceliftState> = {
  QUEUED: "QUEUED",
  READY: "READY",
  PREPARING: byLeg({ REPLAN: "PREPARING_REPLAN", APPLY: "PREPARING_APPLY", DESTROY: "PREPARING_APPLY" }, "PREPARING"),
  INITIALIZING: byLeg({ APPLY: "PREPARING_APPLY", DESTROY: "PREPARING_APPLY" }, "INITIALIZING"),
  PLANNING: "PLANNING",
  POLICY_CHECKING: "PLANNING",
  AWAITING_PLAN_APPROVAL: byKind({ PLAN: "PENDING_REVIEW" }, "UNCONFIRMED"),
  AWAITING_APPLY_APPROVAL: "UNCONFIRMED",
  REPLAN_REQUESTED: "REPLAN_REQUESTED",
  CONFIRMED: "CONFIRMED",
  APPLYING: byLeg({ DESTROY: "DESTROYING" }, "APPLYING"),
  VERIFYING: byLeg({ DESTROY: "DESTROYING" }, "APPLYING"),
  PERFORMING: "PERFORMING",
  FINISHED: "FINISHED",
  FAILED: "FAILED",
  TIMED_OUT: "FAILED",
  REJECTED: "FAILED",
  DISCARDED: "DISCARDED",
  CANCELED: "CANCELED",
  STOPPED: "STOPPED",
  SKIPPED: "SKIPPED",
};

/** The plan run of Forgecroft while the run is on a planning leg; COMPLETED once an apply leg began. */
const FORGECROFT_PLAN: Table<ForgecroftStatus | null> = {
  QUEUED: "QUEUED",
  READY: "QUEUED",
  PREPARING: "IN_PROGRESS",
  INITIALIZING: "IN_PROGRESS",
  PLANNING: "IN_PROGRESS",
  POLICY_CHECKING: "PENDING_POLICY",
  AWAITING_PLAN_APPROVAL: "PENDING_APPROVAL",
  AWAITING_APPLY_APPROVAL: "COMPLETED",
  REPLAN_REQUESTED: "QUEUED",
  CONFIRMED: null,
  APPLYING: null,
  VERIFYING: null,
  PERFORMING: null,
  FINISHED: "COMPLETED",
  FAILED: "FAILED",
  TIMED_OUT: "TIMED_OUT",
  REJECTED: "REJECTED",
  DISCARDED: "COMPLETED",
  CANCELED: "ABORTED",
  STOPPED: "ABORTED",
  SKIPPED: "ABORTED",
};

/** The apply run of Forgecroft; with UNLOCKED for COMPLETED, its unlock run. */
const FORGECROFT_WORK: Table<ForgecroftStatus> = {
  QUEUED: "QUEUED",
  READY: "QUEUED",
  PREPARING: "IN_PROGRESS",
  INITIALIZING: "IN_PROGRESS",
  PLANNING: "IN_PROGRESS",
  POLICY_CHECKING: "PENDING_POLICY",
  AWAITING_PLAN_APPROVAL: "QUEUED",
  AWAITING_APPLY_APPROVAL: "QUEUED",
  REPLAN_REQUESTED: "QUEUED",
  CONFIRMED: "QUEUED",
  APPLYING: "IN_PROGRESS",
  VERIFYING: "IN_PROGRESS",
  PERFORMING: "IN_PROGRESS",
  FINISHED: byOutcome({ APPLY_SKIPPED: "ABORTED", UNLOCKED: "UNLOCKED" }, "COMPLETED"),
  FAILED: "FAILED",
  TIMED_OUT: "TIMED_OUT",
  REJECTED: "REJECTED",
  DISCARDED: "ABORTED",
  CANCELED: "ABORTED",
  STOPPED: "ABORTED",
  SKIPPED: "ABORTED",
};

const HCP: Table<HcpRunStatus> = {
  QUEUED: "pending",
  READY: "plan_queued",
  PREPARING: byLeg({ APPLY: "apply_queued", DESTROY: "apply_queued" }, "fetching"),
  INITIALIZING: byLeg({ APPLY: "apply_queued", DESTROY: "apply_queued" }, "planning"),
  PLANNING: "planning",
  POLICY_CHECKING: "policy_checking",
  AWAITING_PLAN_APPROVAL: "policy_override",
  AWAITING_APPLY_APPROVAL: "planned",
  REPLAN_REQUESTED: "pending",
  CONFIRMED: "confirmed",
  APPLYING: "applying",
  VERIFYING: "post_apply_running",
  PERFORMING: "applying",
  FINISHED: byOutcome(
    { NO_CHANGES: "planned_and_finished", PLANNED: "planned_and_finished", APPLY_SKIPPED: "planned_and_finished" },
    "applied",
  ),
  FAILED: "errored",
  TIMED_OUT: "errored",
  REJECTED: byKind({ PLAN: "policy_soft_failed" }, "errored"),
  DISCARDED: "discarded",
  CANCELED: "discarded",
  STOPPED: "canceled",
  SKIPPED: "discarded",
};

function forgecroft(position: RunPosition): RunDialects["forgecroft"] {
  const plans = position.kind === "DEPLOY" || position.kind === "DESTROY" || position.kind === "PLAN";
  const applies = position.kind === "TASK" || isApplyLeg(position.leg);
  const plan = isApplyLeg(position.leg) ? "COMPLETED" : read(FORGECROFT_PLAN, position);
  return {
    plan: plans ? plan : null,
    apply: applies ? read(FORGECROFT_WORK, position) : null,
    unlock: position.kind === "UNLOCK" ? read(FORGECROFT_WORK, position) : null,
    discarded: plans && position.status === "DISCARDED",
  };
}

function smartDeploy({ status, outcome }: RunPosition): RunDialects["smartDeploy"] {
  if (isTerminal(status)) {
    return { status: "COMPLETED", success: status === "FINISHED" && outcome !== "APPLY_SKIPPED" };
  }
  return { status: status === "QUEUED" || status === "READY" ? "QUEUED" : "DEPLOYING", success: null };
}

/** Returns the run in the terms of every product. `forced`: its lease was ended without an answer of the runner. */
export function toDialects(position: RunPosition, forced: boolean): RunDialects {
  return {
    amnify: read(AMNIFY, position),
    spacelift: read(SPACELIFT, position),
    forgecroft: forgecroft(position),
    smartDeploy: smartDeploy(position),
    hcp: position.status === "STOPPED" && forced ? "force_canceled" : read(HCP, position),
  };
}
