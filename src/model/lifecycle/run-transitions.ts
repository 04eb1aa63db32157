/**
 * The run machine as data: every change of status, in the order in which rows are tried. `decide` reads it, the checks
 * in the database are built from it, and docs/run-lifecycle.md is printed from it.
 */
import type { RunKind, RunLeg, RunOutcome } from "./run-kind.ts";
import type { RunStatus } from "./run-status.ts";

/** The commands for a run, from people, runners and the system. */
export type RunCommandType =
  | "create"
  | "createSkipped"
  | "admit"
  | "skip"
  | "dependencyFailed"
  | "cancel"
  | "claim"
  | "leaseLost"
  | "restored"
  | "prepared"
  | "initialized"
  | "planned"
  | "keepPlan"
  | "judged"
  | "preJudged"
  | "approvePlan"
  | "approveApply"
  | "withdrawPlan"
  | "withdrawApply"
  | "autoApply"
  | "reject"
  | "discard"
  | "replan"
  | "skipApply"
  | "applied"
  | "verified"
  | "concluded"
  | "performed"
  | "fail"
  | "stopped"
  | "queueTimeout"
  | "timeout";

/** Conditions of a row; `decide` evaluates them. */
export type Guard =
  | "hasPolicies"
  | "hasPreApplyChecks"
  | "noChanges"
  | "policyDenied"
  | "planGateRequired"
  | "autoApplies"
  | "skipsApply"
  | "applyGateRequired"
  | "quorumMissing"
  | "replanned"
  | "hasProbes"
  | "forced"
  | "stopRequested"
  | "stopRequestOld"
  | "interruptAllowed"
  | "attemptsExhausted";

interface Target {
  /** `null`: the command is accepted and recorded, and the status stays. */
  to: RunStatus | null;
  /** The leg after the transition. "execution" is APPLY or DESTROY by kind (TASK stays). Absent: unchanged. */
  leg?: RunLeg | "execution";
  /** Set with FINISHED only. */
  outcome?: RunOutcome;
  /** If only a freeze window prevents auto-apply, the run waits at the gate and continues once the window closes. */
  holdable?: true;
  /** All of these conditions must hold. */
  when?: readonly Guard[];
}

export interface Transition extends Target {
  /** The name of the event. */
  name: string;
  command: RunCommandType;
  kinds: readonly RunKind[];
  legs: readonly RunLeg[];
  /** `null`: the run does not exist yet. */
  from: readonly RunStatus[] | null;
  who: string;
  note: string;
}

const ALL = ["DEPLOY", "DESTROY", "PLAN", "APPLY", "UNLOCK", "TASK"] as const satisfies readonly RunKind[];
const DEPLOYING = ["DEPLOY", "DESTROY"] as const satisfies readonly RunKind[];
const PLANNED_KINDS = ["DEPLOY", "DESTROY", "PLAN"] as const satisfies readonly RunKind[];
const GATED = ["DEPLOY", "DESTROY", "APPLY"] as const satisfies readonly RunKind[];
const WORK = ["UNLOCK", "TASK"] as const satisfies readonly RunKind[];

const EVERY_LEG = ["PLAN", "REPLAN", "APPLY", "DESTROY", "TASK"] as const satisfies readonly RunLeg[];
const PLAN_LEGS = ["PLAN", "REPLAN"] as const satisfies readonly RunLeg[];
const APPLY_LEGS = ["APPLY", "DESTROY"] as const satisfies readonly RunLeg[];
const STOPPABLE_LEGS = ["PLAN", "REPLAN", "TASK"] as const satisfies readonly RunLeg[];

const GATES = ["AWAITING_PLAN_APPROVAL", "AWAITING_APPLY_APPROVAL"] as const satisfies readonly RunStatus[];
const QUEUES = ["QUEUED", "READY", "REPLAN_REQUESTED"] as const satisfies readonly RunStatus[];
const BEFORE_APPLY = ["PREPARING", "INITIALIZING", "PLANNING"] as const satisfies readonly RunStatus[];
const SERVER_WORK = ["POLICY_CHECKING", "VERIFYING"] as const satisfies readonly RunStatus[];
const LIMITED = [...BEFORE_APPLY, "POLICY_CHECKING", "APPLYING", "PERFORMING"] as const satisfies readonly RunStatus[];

/** Builds a row. The first line is its condition and its result, the second its actor and its meaning. */
function row(
  name: string,
  command: RunCommandType,
  kinds: readonly RunKind[],
  legs: readonly RunLeg[],
  from: readonly RunStatus[] | null,
  target: RunStatus | Target | null,
  who: string,
  note: string,
): Transition {
  const change: Target = typeof target === "object" && target !== null ? target : { to: target };
  return { name, command, kinds, from, legs, ...change, who, note };
}

/**
 * Returns the rows after a plan. Policies, if there are any, judge the plan first. `next`: the ways of a plan that
 * auto-apply covers.
 */
function afterPlan(
  command: "planned" | "judged",
  status: "PLANNING" | "POLICY_CHECKING",
  next: readonly Transition[],
): Transition[] {
  const from = [status] as const;
  // biome-ignore format: a table
  return [
    row("noChanges", command, PLANNED_KINDS, PLAN_LEGS, from, { to: "FINISHED", outcome: "NO_CHANGES", when: ["noChanges"] }, "system",
      "The engine reports that applying would change nothing; no approval is needed."),
    row("planGate", command, PLANNED_KINDS, PLAN_LEGS, from, { to: "AWAITING_PLAN_APPROVAL", when: ["planGateRequired"] }, "system",
      "Required by a policy or a rule, or by `planApproval: ALWAYS` for DEPLOY and DESTROY."),
    row("planned", command, ["PLAN"], PLAN_LEGS, from, { to: "FINISHED", outcome: "PLANNED" }, "system",
      "A speculative plan ends here."),
    row("skipApply", command, ["DEPLOY"], PLAN_LEGS, from, { to: "FINISHED", leg: "APPLY", outcome: "APPLY_SKIPPED", when: ["autoApplies", "skipsApply"] }, "system",
      "Would be applied automatically, but the workspace sets `HOLDPOINT_SKIP_APPLYING=true`."),
    ...next,
    row("applyGate", command, DEPLOYING, PLAN_LEGS, from, { to: "AWAITING_APPLY_APPROVAL", holdable: true }, "system",
      "The plan gate needs no approval; the apply gate is next."),
  ];
}

/**
 * Returns the rows that take an approved run back before its claim. It returns to the leg that made its plan, so that
 * its leg shows that nothing was applied. `planless`: the kinds without a plan of their own.
 */
function takeBack(command: RunCommandType, planless: readonly RunKind[], target: Target, note: string): Transition[] {
  const from = ["CONFIRMED"] as const;
  const { when = [] } = target;
  // biome-ignore format: a table
  return [
    row("takeBack", command, DEPLOYING, APPLY_LEGS, from, { ...target, leg: "REPLAN", when: [...when, "replanned"] }, "approver", note),
    row("takeBack", command, DEPLOYING, APPLY_LEGS, from, { ...target, leg: "PLAN" }, "approver", note),
    row("takeBack", command, planless, ["APPLY", "TASK"], from, target, "approver", note),
  ];
}

// biome-ignore format: a table
const APPLIED_BY_THE_PLANNER: readonly Transition[] = [
  row("autoApply", "planned", ["DEPLOY"], PLAN_LEGS, ["PLANNING"], { to: "CONFIRMED", leg: "APPLY", when: ["autoApplies", "hasPreApplyChecks"] }, "system",
    "Auto-apply covers this plan, and checks before the apply are due: no runner waits for them."),
  row("autoApply", "planned", ["DEPLOY"], PLAN_LEGS, ["PLANNING"], { to: "APPLYING", leg: "APPLY", when: ["autoApplies"] }, "system",
    "Auto-apply covers this plan. The same runner continues, under a new lease."),
];

// biome-ignore format: a table
const APPLIED_AFTER_JUDGEMENT: readonly Transition[] = [
  row("autoApply", "judged", ["DEPLOY"], PLAN_LEGS, ["POLICY_CHECKING"], { to: "CONFIRMED", leg: "APPLY", when: ["autoApplies"] }, "system",
    "Auto-apply covers this plan, and no warning stops it."),
];

// biome-ignore format: a table
export const TRANSITIONS: readonly Transition[] = [
  // creation and admission
  row("create", "create", ALL, EVERY_LEG, null, "QUEUED", "user, webhook, schedule, policy, promotion",
    "Source revision and variables are fixed from now on."),
  row("createSkipped", "createSkipped", ALL, EVERY_LEG, null, "SKIPPED", "trigger rule",
    "The reason is recorded."),
  row("admit", "admit", ["DEPLOY", "DESTROY", "PLAN", "UNLOCK"], EVERY_LEG, ["QUEUED"], "READY", "scheduler",
    "No blockers are left; takes the workspace (a PLAN run never does)."),
  row("admit", "admit", ["APPLY"], ["APPLY"], ["QUEUED"], { to: "POLICY_CHECKING", when: ["hasPolicies"] }, "scheduler",
    "Policies judge the plan of the PLAN run again."),
  row("admit", "admit", ["APPLY"], ["APPLY"], ["QUEUED"], { to: "AWAITING_PLAN_APPROVAL", when: ["planGateRequired"] }, "scheduler",
    "The workspace requires an approval of the plan, and the PLAN run got none."),
  row("admit", "admit", ["APPLY"], ["APPLY"], ["QUEUED"], { to: "AWAITING_APPLY_APPROVAL", holdable: true, when: ["applyGateRequired"] }, "scheduler",
    "The plan is accepted; the apply gate is next."),
  row("admit", "admit", ["APPLY"], ["APPLY"], ["QUEUED"], "CONFIRMED", "scheduler",
    "Neither gate needs an approval."),
  row("admit", "admit", ["TASK"], ["TASK"], ["QUEUED"], "AWAITING_APPLY_APPROVAL", "scheduler",
    "The command of a task is always shown at the apply gate."),
  row("skip", "skip", ALL, EVERY_LEG, ["QUEUED"], "SKIPPED", "scheduler",
    "Nothing to do here."),
  row("dependencyFailed", "dependencyFailed", ALL, EVERY_LEG, ["QUEUED"], "FAILED", "scheduler",
    "DEPENDENCY_FAILED"),
  row("prePlanDenied", "preJudged", [...GATED, "PLAN", "TASK"], EVERY_LEG, ["QUEUED"], { to: "REJECTED", when: ["policyDenied"] }, "system",
    "By a check before the plan."),
  row("preApplyDenied", "preJudged", [...GATED, "TASK"], EVERY_LEG, ["CONFIRMED"], { to: "REJECTED", when: ["policyDenied"] }, "system",
    "By a policy or a check before the apply; nothing was applied. No gate follows, so that a question counts as a no."),
  row("preJudged", "preJudged", [...GATED, "PLAN", "TASK"], EVERY_LEG, ["QUEUED", "CONFIRMED"], null, "system",
    "Nothing denies it: it is admitted, or offered to the runners."),
  // cancel, discard, stop, force
  row("cancel", "cancel", ALL, EVERY_LEG, QUEUES, "CANCELED", "user, newer commit",
    "No runner has it."),
  row("discard", "cancel", ALL, EVERY_LEG, GATES, "DISCARDED", "user",
    "A cancel at a gate discards the plan."),
  row("forceStop", "cancel", ALL, EVERY_LEG, ["CONFIRMED"], { to: "STOPPED", when: ["forced"] }, "workspace admin",
    "Nothing ran; the workspace is free."),
  row("forceStop", "cancel", GATED, APPLY_LEGS, ["PREPARING", "INITIALIZING"], { to: "STOPPED", when: ["forced"] }, "workspace admin",
    "Fences the lease; nothing was applied."),
  row("forceStop", "cancel", ALL, EVERY_LEG, BEFORE_APPLY, { to: "STOPPED", when: ["forced", "stopRequestOld"] }, "workspace admin",
    "Fences the lease of a runner that did not acknowledge a stop in time."),
  row("forceStop", "cancel", ALL, EVERY_LEG, ["APPLYING", "PERFORMING"], { to: "STOPPED", when: ["forced", "interruptAllowed", "stopRequestOld"] }, "workspace admin",
    "Fences the lease; the workspace gets APPLY_INTERRUPTED."),
  row("stop", "cancel", ALL, EVERY_LEG, SERVER_WORK, "STOPPED", "user",
    "The server judges or verifies: there is no runner to wait for."),
  row("requestStop", "cancel", ALL, STOPPABLE_LEGS, BEFORE_APPLY, null, "user",
    "The intent is recorded; the runner acknowledges."),
  row("requestStop", "cancel", ALL, EVERY_LEG, ["APPLYING", "PERFORMING"], { to: null, when: ["interruptAllowed"] }, "user",
    "Only where the workspace allows `interruptApply`."),
  row("stop", "stopped", ALL, STOPPABLE_LEGS, BEFORE_APPLY, { to: "STOPPED", when: ["stopRequested"] }, "runner",
    "The runner acknowledges."),
  row("stop", "stopped", ALL, EVERY_LEG, ["APPLYING", "PERFORMING"], { to: "STOPPED", when: ["stopRequested", "interruptAllowed"] }, "runner",
    "The engine got SIGINT and saved its state."),
  // leases
  row("claim", "claim", ALL, EVERY_LEG, ["READY", "REPLAN_REQUESTED", "CONFIRMED"], "PREPARING", "runner",
    "Under a lease with a fencing token; the organization's limit is enforced here."),
  row("stop", "leaseLost", ALL, STOPPABLE_LEGS, BEFORE_APPLY, { to: "STOPPED", when: ["stopRequested"] }, "system",
    "A stop was requested, and the runner is gone."),
  row("leaseLost", "leaseLost", ALL, EVERY_LEG, BEFORE_APPLY, { to: "FAILED", when: ["attemptsExhausted"] }, "system",
    "RUNNER_LOST after the last attempt of a leg."),
  row("leaseLost", "leaseLost", PLANNED_KINDS, ["PLAN"], BEFORE_APPLY, "READY", "system",
    "Another attempt. A drain hands back at once, which does not count as an attempt."),
  row("leaseLost", "leaseLost", DEPLOYING, ["REPLAN"], BEFORE_APPLY, "REPLAN_REQUESTED", "system",
    "Another attempt."),
  row("leaseLost", "leaseLost", GATED, APPLY_LEGS, ["PREPARING", "INITIALIZING"], "CONFIRMED", "system",
    "Another attempt: nothing was applied yet."),
  row("leaseLost", "leaseLost", ["TASK"], ["TASK"], ["PREPARING", "INITIALIZING"], "CONFIRMED", "system",
    "Another attempt."),
  row("leaseLost", "leaseLost", ["UNLOCK"], ["TASK"], ["PREPARING", "INITIALIZING"], "READY", "system",
    "Another attempt."),
  row("applyLost", "leaseLost", ALL, EVERY_LEG, ["APPLYING", "PERFORMING"], "FAILED", "system",
    "RUNNER_LOST, the state is uncertain, the workspace gets APPLY_INTERRUPTED. Never retried."),
  // work
  row("prepared", "prepared", ALL, STOPPABLE_LEGS, ["PREPARING"], "INITIALIZING", "runner",
    "The workspace is fetched."),
  row("restored", "restored", GATED, APPLY_LEGS, ["PREPARING"], "INITIALIZING", "runner",
    "The workspace is restored. Only for a run with hooks, which are executed before the apply."),
  row("prepared", "prepared", GATED, APPLY_LEGS, ["PREPARING", "INITIALIZING"], "APPLYING", "runner",
    "The plan is restored and is the one that was approved."),
  row("initOk", "initialized", PLANNED_KINDS, PLAN_LEGS, ["INITIALIZING"], "PLANNING", "runner",
    ""),
  row("initOk", "initialized", WORK, ["TASK"], ["INITIALIZING"], "PERFORMING", "runner",
    ""),
  row("planOk", "planned", PLANNED_KINDS, PLAN_LEGS, ["PLANNING"], { to: "POLICY_CHECKING", when: ["hasPolicies"] }, "runner",
    "Stores the plan; policies judge it."),
  ...afterPlan("planned", "PLANNING", APPLIED_BY_THE_PLANNER),
  row("keepPlan", "keepPlan", DEPLOYING, ["REPLAN"], ["PLANNING"], { to: "AWAITING_PLAN_APPROVAL", when: ["planGateRequired"] }, "runner",
    "A target of the replan matches nothing: the earlier plan stays the current one."),
  row("keepPlan", "keepPlan", DEPLOYING, ["REPLAN"], ["PLANNING"], "AWAITING_APPLY_APPROVAL", "runner",
    "The plan gate needs no approval: the earlier plan waits at the apply gate."),
  row("denied", "judged", [...PLANNED_KINDS, "APPLY"], [...PLAN_LEGS, "APPLY"], ["POLICY_CHECKING"], { to: "REJECTED", when: ["policyDenied"] }, "system",
    "By a mandatory policy or check."),
  ...afterPlan("judged", "POLICY_CHECKING", APPLIED_AFTER_JUDGEMENT),
  row("planGate", "judged", ["APPLY"], ["APPLY"], ["POLICY_CHECKING"], { to: "AWAITING_PLAN_APPROVAL", when: ["planGateRequired"] }, "system",
    "A policy asks, or the workspace requires an approval of the plan, and the PLAN run got none."),
  row("applyGate", "judged", ["APPLY"], ["APPLY"], ["POLICY_CHECKING"], { to: "AWAITING_APPLY_APPROVAL", holdable: true, when: ["applyGateRequired"] }, "system",
    "The plan is accepted; the apply gate is next."),
  row("autoApply", "judged", ["APPLY"], ["APPLY"], ["POLICY_CHECKING"], "CONFIRMED", "system",
    "Neither gate needs an approval."),
  // gates
  row("recordApproval", "approvePlan", ALL, EVERY_LEG, ["AWAITING_PLAN_APPROVAL"], { to: null, when: ["quorumMissing"] }, "approver",
    "More people must approve."),
  row("approvePlan", "approvePlan", ["PLAN"], ["PLAN"], ["AWAITING_PLAN_APPROVAL"], { to: "FINISHED", outcome: "PLANNED" }, "approver",
    "The last stage's quorum is reached."),
  row("approvePlan", "approvePlan", GATED, EVERY_LEG, ["AWAITING_PLAN_APPROVAL"], { to: "AWAITING_APPLY_APPROVAL", holdable: true, when: ["applyGateRequired"] }, "approver",
    "The last stage's quorum is reached; the apply gate is next."),
  row("approvePlan", "approvePlan", GATED, EVERY_LEG, ["AWAITING_PLAN_APPROVAL"], { to: "CONFIRMED", leg: "execution" }, "approver",
    "The last stage's quorum is reached; auto-apply covers the plan."),
  ...takeBack("withdrawPlan", ["APPLY"], { to: "AWAITING_PLAN_APPROVAL", when: ["quorumMissing"] },
    "The plan gate, which was the last one, lacks an approval again."),
  row("takeBack", "withdrawPlan", GATED, EVERY_LEG, ["AWAITING_APPLY_APPROVAL"], { to: "AWAITING_PLAN_APPROVAL", when: ["quorumMissing"] }, "approver",
    "An override of the plan is withdrawn: its failures are asked for again."),
  row("recordWithdrawal", "withdrawPlan", [...GATED, "PLAN"], EVERY_LEG, [...GATES, "CONFIRMED"], null, "approver",
    "The caller's approvals at the plan gate count no longer; a run beyond it stays if the others are enough."),
  row("reject", "reject", ALL, EVERY_LEG, ["AWAITING_PLAN_APPROVAL"], "REJECTED", "approver, policy, time-out",
    "At the plan gate only."),
  row("recordApproval", "approveApply", ALL, EVERY_LEG, ["AWAITING_APPLY_APPROVAL"], { to: null, when: ["quorumMissing"] }, "approver",
    "More people must approve."),
  row("approveApply", "approveApply", ALL, EVERY_LEG, ["AWAITING_APPLY_APPROVAL"], { to: "CONFIRMED", leg: "execution" }, "approver",
    "The plan is current and the state has not moved, else StalePlanError, and the run is unchanged."),
  ...takeBack("withdrawApply", ["APPLY", "TASK"], { to: "AWAITING_APPLY_APPROVAL", when: ["quorumMissing"] },
    "The apply gate lacks an approval again."),
  row("recordWithdrawal", "withdrawApply", ALL, EVERY_LEG, ["AWAITING_APPLY_APPROVAL", "CONFIRMED"], null, "approver",
    "The caller's approvals at the apply gate count no longer; a CONFIRMED run stays if the others are enough."),
  row("autoApply", "autoApply", ["DEPLOY", "APPLY"], ["PLAN", "REPLAN", "APPLY"], ["AWAITING_APPLY_APPROVAL"], { to: "CONFIRMED", leg: "execution", when: ["autoApplies"] }, "system",
    "Auto-apply covers this plan, and the freeze window that held it back has closed."),
  row("discard", "discard", ALL, EVERY_LEG, GATES, "DISCARDED", "user; system: expired, superseded, stale",
    "Nothing was changed."),
  ...takeBack("discard", ["APPLY", "TASK"], { to: "DISCARDED" },
    "Approved, but no longer wanted."),
  row("replan", "replan", DEPLOYING, PLAN_LEGS, GATES, { to: "REPLAN_REQUESTED", leg: "REPLAN" }, "user",
    "Voids all approvals of the older plan, which stays visible."),
  // apply and what follows
  row("skipApply", "skipApply", GATED, APPLY_LEGS, ["PREPARING", "INITIALIZING"], { to: "FINISHED", outcome: "APPLY_SKIPPED", when: ["skipsApply"] }, "system",
    "The workspace sets `HOLDPOINT_SKIP_APPLYING=true`."),
  row("applyOk", "applied", GATED, APPLY_LEGS, ["APPLYING"], { to: "VERIFYING", when: ["hasProbes"] }, "runner",
    "New state version. The job of the runner ends; probes verify the result."),
  row("applyOk", "applied", GATED, ["APPLY"], ["APPLYING"], { to: "FINISHED", outcome: "APPLIED" }, "runner",
    "New state version and outputs."),
  row("applyOk", "applied", ["DESTROY"], ["DESTROY"], ["APPLYING"], { to: "FINISHED", outcome: "DESTROYED" }, "runner",
    "New state version."),
  row("applyFailed", "fail", GATED, APPLY_LEGS, ["APPLYING"], "FAILED", "runner",
    "APPLY_FAILED, APPLY_PARTIAL, DESTROY_FAILED, APPLY_INTERRUPTED, PLAN_STALE or STATE_NOT_SAVED."),
  row("verifyOk", "verified", GATED, ["APPLY"], ["VERIFYING"], { to: "FINISHED", outcome: "APPLIED" }, "system",
    "All required probes passed."),
  row("verifyOk", "verified", ["DESTROY"], ["DESTROY"], ["VERIFYING"], { to: "FINISHED", outcome: "DESTROYED" }, "system",
    "All required probes passed."),
  row("concluded", "concluded", GATED, ["APPLY"], ["VERIFYING"], { to: "FINISHED", outcome: "APPLIED" }, "user",
    "A person judges the result good. The judgement bad is `verifyFailed`."),
  row("concluded", "concluded", ["DESTROY"], ["DESTROY"], ["VERIFYING"], { to: "FINISHED", outcome: "DESTROYED" }, "user",
    "A person judges the result good."),
  row("verifyFailed", "fail", GATED, APPLY_LEGS, ["VERIFYING"], "FAILED", "system, user",
    "DEPLOYMENT_VERIFICATION_FAILED, at the latest when its time is over; may create a ROLLBACK run."),
  row("performOk", "performed", ["TASK"], ["TASK"], ["PERFORMING"], { to: "FINISHED", outcome: "PERFORMED" }, "runner",
    ""),
  row("performOk", "performed", ["UNLOCK"], ["TASK"], ["PERFORMING"], { to: "FINISHED", outcome: "UNLOCKED" }, "runner",
    ""),
  row("error", "fail", ALL, EVERY_LEG, ["PREPARING", "INITIALIZING", "PLANNING", "POLICY_CHECKING", "PERFORMING"], "FAILED", "runner, system",
    "The failure has the reason."),
  row("queueTimeout", "queueTimeout", ALL, EVERY_LEG, QUEUES, "TIMED_OUT", "system",
    "QUEUE_TIMED_OUT; only where a queue limit is set."),
  row("timeout", "timeout", ALL, EVERY_LEG, LIMITED, "TIMED_OUT", "system",
    "The limit of run time or silence: SIGINT, a grace period, SIGKILL of the process group."),
];
