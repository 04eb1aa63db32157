/**
 * The run machine as data: every change of status that exists, in the order in which rows are tried. `decide` reads
 * it, the database's own net is built from it, and docs/run-lifecycle.md is printed from it.
 */
import type { RunKind, RunLeg, RunOutcome } from "./run-kind.ts";
import type { RunStatus } from "./run-status.ts";

/** What may be asked of a run, by people, runners and the system. */
export type RunCommandType =
  | "create"
  | "createSkipped"
  | "admit"
  | "skip"
  | "dependencyFailed"
  | "cancel"
  | "claim"
  | "leaseLost"
  | "prepared"
  | "initialized"
  | "planned"
  | "judged"
  | "approvePlan"
  | "approveApply"
  | "reject"
  | "discard"
  | "replan"
  | "skipApply"
  | "applied"
  | "verified"
  | "performed"
  | "fail"
  | "stopped"
  | "queueTimeout"
  | "timeout";

/** Conditions that a row can ask for; `decide` knows how each is answered. */
export type Guard =
  | "hasPolicies"
  | "noChanges"
  | "policyDenied"
  | "planGateRequired"
  | "autoApplies"
  | "skipsApply"
  | "applyGateRequired"
  | "quorumMissing"
  | "hasProbes"
  | "forced"
  | "stopRequested"
  | "stopRequestOld"
  | "interruptAllowed"
  | "attemptsExhausted";

export interface Transition {
  /** The field's name of the event. */
  name: string;
  command: RunCommandType;
  kinds: readonly RunKind[];
  /** null: the run does not exist yet. */
  from: readonly RunStatus[] | null;
  legs: readonly RunLeg[];
  /** null: the command is accepted and recorded, the status stays. */
  to: RunStatus | null;
  /** The leg afterwards; "execution" is APPLY or DESTROY by kind (TASK stays). Absent: as it was. */
  leg?: RunLeg | "execution";
  outcome?: RunOutcome;
  when?: readonly Guard[];
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
const STOPPABLE = [...BEFORE_APPLY, "POLICY_CHECKING", "VERIFYING"] as const satisfies readonly RunStatus[];
const EXECUTING = [...STOPPABLE, "APPLYING", "PERFORMING"] as const satisfies readonly RunStatus[];

/** The rows that decide what follows a plan; a plan is judged by policies first where there are any. */
function afterPlan(command: "planned" | "judged", from: "PLANNING" | "POLICY_CHECKING"): Transition[] {
  const row = { command, from: [from], legs: PLAN_LEGS, who: "system" };
  return [
    {
      ...row,
      name: "noChanges",
      kinds: PLANNED_KINDS,
      to: "FINISHED",
      outcome: "NO_CHANGES",
      when: ["noChanges"],
      note: "The engine says that applying would change nothing; no approval is asked.",
    },
    {
      ...row,
      name: "planGate",
      kinds: PLANNED_KINDS,
      to: "AWAITING_PLAN_APPROVAL",
      when: ["planGateRequired"],
      note: "Required by a policy or a rule, or by `planApproval: ALWAYS` for DEPLOY and DESTROY.",
    },
    {
      ...row,
      name: "planned",
      kinds: ["PLAN"],
      to: "FINISHED",
      outcome: "PLANNED",
      note: "A speculative plan ends here.",
    },
    {
      ...row,
      name: "skipApply",
      kinds: ["DEPLOY"],
      to: "FINISHED",
      leg: "APPLY",
      outcome: "APPLY_SKIPPED",
      when: ["autoApplies", "skipsApply"],
      note: "Would be applied by itself, but the workspace says `HOLDPOINT_SKIP_APPLYING=true`.",
    },
    {
      ...row,
      name: "autoApply",
      kinds: ["DEPLOY"],
      to: from === "PLANNING" ? "APPLYING" : "CONFIRMED",
      leg: "APPLY",
      when: ["autoApplies"],
      note: "Auto-apply covers this plan. Out of PLANNING by the same runner under the same lease.",
    },
    {
      ...row,
      name: "applyGate",
      kinds: DEPLOYING,
      to: "AWAITING_APPLY_APPROVAL",
      note: "The plan gate is empty, the apply gate asks a person.",
    },
  ];
}

export const TRANSITIONS: readonly Transition[] = [
  // ---------------------------------------------------------------- creation and admission
  {
    name: "create",
    command: "create",
    kinds: ALL,
    from: null,
    legs: EVERY_LEG,
    to: "QUEUED",
    who: "user, webhook, schedule, policy, promotion",
    note: "Source revision and variables are frozen now.",
  },
  {
    name: "createSkipped",
    command: "createSkipped",
    kinds: ALL,
    from: null,
    legs: EVERY_LEG,
    to: "SKIPPED",
    who: "trigger rule",
    note: "The reason is kept.",
  },
  {
    name: "admit",
    command: "admit",
    kinds: ["DEPLOY", "DESTROY", "PLAN", "UNLOCK"],
    from: ["QUEUED"],
    legs: EVERY_LEG,
    to: "READY",
    who: "scheduler",
    note: "No blockers are left; takes the workspace (a PLAN run never does).",
  },
  {
    name: "admit",
    command: "admit",
    kinds: ["APPLY"],
    from: ["QUEUED"],
    legs: ["APPLY"],
    to: "AWAITING_PLAN_APPROVAL",
    when: ["planGateRequired"],
    who: "scheduler",
    note: "The plan of the PLAN run was not approved where the workspace requires it.",
  },
  {
    name: "admit",
    command: "admit",
    kinds: ["APPLY"],
    from: ["QUEUED"],
    legs: ["APPLY"],
    to: "AWAITING_APPLY_APPROVAL",
    when: ["applyGateRequired"],
    who: "scheduler",
    note: "The plan is accepted, the apply gate asks a person.",
  },
  {
    name: "admit",
    command: "admit",
    kinds: ["APPLY"],
    from: ["QUEUED"],
    legs: ["APPLY"],
    to: "CONFIRMED",
    who: "scheduler",
    note: "Neither gate asks.",
  },
  {
    name: "admit",
    command: "admit",
    kinds: ["TASK"],
    from: ["QUEUED"],
    legs: ["TASK"],
    to: "AWAITING_APPLY_APPROVAL",
    who: "scheduler",
    note: "The command of a task is always shown at the apply gate.",
  },
  {
    name: "skip",
    command: "skip",
    kinds: ALL,
    from: ["QUEUED"],
    legs: EVERY_LEG,
    to: "SKIPPED",
    who: "scheduler",
    note: "Nothing to do here.",
  },
  {
    name: "dependencyFailed",
    command: "dependencyFailed",
    kinds: ALL,
    from: ["QUEUED"],
    legs: EVERY_LEG,
    to: "FAILED",
    who: "scheduler",
    note: "DEPENDENCY_FAILED",
  },
  // ---------------------------------------------------------------- cancel, discard, stop, force
  {
    name: "cancel",
    command: "cancel",
    kinds: ALL,
    from: QUEUES,
    legs: EVERY_LEG,
    to: "CANCELED",
    who: "user, newer commit",
    note: "No runner has it.",
  },
  {
    name: "discard",
    command: "cancel",
    kinds: ALL,
    from: GATES,
    legs: EVERY_LEG,
    to: "DISCARDED",
    who: "user",
    note: "A cancel at a gate discards the plan.",
  },
  {
    name: "forceStop",
    command: "cancel",
    kinds: ALL,
    from: ["CONFIRMED"],
    legs: EVERY_LEG,
    to: "STOPPED",
    when: ["forced"],
    who: "workspace admin",
    note: "Nothing ran; the workspace is free.",
  },
  {
    name: "forceStop",
    command: "cancel",
    kinds: GATED,
    from: ["PREPARING"],
    legs: APPLY_LEGS,
    to: "STOPPED",
    when: ["forced"],
    who: "workspace admin",
    note: "Fences the lease; nothing was applied.",
  },
  {
    name: "forceStop",
    command: "cancel",
    kinds: ALL,
    from: STOPPABLE,
    legs: EVERY_LEG,
    to: "STOPPED",
    when: ["forced", "stopRequestOld"],
    who: "workspace admin",
    note: "Fences the lease of a runner that did not acknowledge a stop in time.",
  },
  {
    name: "forceStop",
    command: "cancel",
    kinds: ALL,
    from: ["APPLYING", "PERFORMING"],
    legs: EVERY_LEG,
    to: "STOPPED",
    when: ["forced", "interruptAllowed", "stopRequestOld"],
    who: "workspace admin",
    note: "Fences the lease; the workspace gets APPLY_INTERRUPTED.",
  },
  {
    name: "requestStop",
    command: "cancel",
    kinds: ALL,
    from: ["PREPARING"],
    legs: STOPPABLE_LEGS,
    to: null,
    who: "user",
    note: "The intent is recorded; the runner acknowledges.",
  },
  {
    name: "requestStop",
    command: "cancel",
    kinds: ALL,
    from: ["INITIALIZING", "PLANNING", "POLICY_CHECKING", "VERIFYING"],
    legs: EVERY_LEG,
    to: null,
    who: "user",
    note: "The intent is recorded; the runner acknowledges.",
  },
  {
    name: "requestStop",
    command: "cancel",
    kinds: ALL,
    from: ["APPLYING", "PERFORMING"],
    legs: EVERY_LEG,
    to: null,
    when: ["interruptAllowed"],
    who: "user",
    note: "Only where the workspace allows `interruptApply`.",
  },
  {
    name: "stop",
    command: "stopped",
    kinds: ALL,
    from: ["PREPARING"],
    legs: STOPPABLE_LEGS,
    to: "STOPPED",
    when: ["stopRequested"],
    who: "runner",
    note: "The runner acknowledges.",
  },
  {
    name: "stop",
    command: "stopped",
    kinds: ALL,
    from: ["INITIALIZING", "PLANNING", "POLICY_CHECKING", "VERIFYING"],
    legs: EVERY_LEG,
    to: "STOPPED",
    when: ["stopRequested"],
    who: "runner",
    note: "The runner acknowledges.",
  },
  {
    name: "stop",
    command: "stopped",
    kinds: ALL,
    from: ["APPLYING", "PERFORMING"],
    legs: EVERY_LEG,
    to: "STOPPED",
    when: ["stopRequested", "interruptAllowed"],
    who: "runner",
    note: "The engine got SIGINT and saved its state.",
  },
  // ---------------------------------------------------------------- leases
  {
    name: "claim",
    command: "claim",
    kinds: ALL,
    from: ["READY", "REPLAN_REQUESTED", "CONFIRMED"],
    legs: EVERY_LEG,
    to: "PREPARING",
    who: "runner",
    note: "Under a lease with a fencing token; the organization's limit is enforced here.",
  },
  {
    name: "stop",
    command: "leaseLost",
    kinds: ALL,
    from: BEFORE_APPLY,
    legs: STOPPABLE_LEGS,
    to: "STOPPED",
    when: ["stopRequested"],
    who: "system",
    note: "A stop was asked for, and the runner is gone.",
  },
  {
    name: "leaseLost",
    command: "leaseLost",
    kinds: ALL,
    from: BEFORE_APPLY,
    legs: EVERY_LEG,
    to: "FAILED",
    when: ["attemptsExhausted"],
    who: "system",
    note: "RUNNER_LOST after the last attempt of a leg.",
  },
  {
    name: "leaseLost",
    command: "leaseLost",
    kinds: PLANNED_KINDS,
    from: BEFORE_APPLY,
    legs: ["PLAN"],
    to: "READY",
    who: "system",
    note: "Another attempt. A drain hands back at once, which does not count as an attempt.",
  },
  {
    name: "leaseLost",
    command: "leaseLost",
    kinds: DEPLOYING,
    from: BEFORE_APPLY,
    legs: ["REPLAN"],
    to: "REPLAN_REQUESTED",
    who: "system",
    note: "Another attempt.",
  },
  {
    name: "leaseLost",
    command: "leaseLost",
    kinds: GATED,
    from: ["PREPARING"],
    legs: APPLY_LEGS,
    to: "CONFIRMED",
    who: "system",
    note: "Another attempt: nothing was applied yet.",
  },
  {
    name: "leaseLost",
    command: "leaseLost",
    kinds: ["TASK"],
    from: ["PREPARING", "INITIALIZING"],
    legs: ["TASK"],
    to: "CONFIRMED",
    who: "system",
    note: "Another attempt.",
  },
  {
    name: "leaseLost",
    command: "leaseLost",
    kinds: ["UNLOCK"],
    from: ["PREPARING", "INITIALIZING"],
    legs: ["TASK"],
    to: "READY",
    who: "system",
    note: "Another attempt.",
  },
  {
    name: "applyLost",
    command: "leaseLost",
    kinds: ALL,
    from: ["APPLYING", "PERFORMING"],
    legs: EVERY_LEG,
    to: "FAILED",
    who: "system",
    note: "RUNNER_LOST, the state is uncertain, the workspace gets APPLY_INTERRUPTED. Never tried again.",
  },
  {
    name: "verifyLost",
    command: "leaseLost",
    kinds: GATED,
    from: ["VERIFYING"],
    legs: APPLY_LEGS,
    to: null,
    who: "system",
    note: "The probes start again on another runner.",
  },
  // ---------------------------------------------------------------- work
  {
    name: "prepared",
    command: "prepared",
    kinds: ALL,
    from: ["PREPARING"],
    legs: STOPPABLE_LEGS,
    to: "INITIALIZING",
    who: "runner",
    note: "The workspace is fetched.",
  },
  {
    name: "prepared",
    command: "prepared",
    kinds: GATED,
    from: ["PREPARING"],
    legs: APPLY_LEGS,
    to: "APPLYING",
    who: "runner",
    note: "The plan is restored and is the one that was approved.",
  },
  {
    name: "initOk",
    command: "initialized",
    kinds: PLANNED_KINDS,
    from: ["INITIALIZING"],
    legs: PLAN_LEGS,
    to: "PLANNING",
    who: "runner",
    note: "",
  },
  {
    name: "initOk",
    command: "initialized",
    kinds: WORK,
    from: ["INITIALIZING"],
    legs: ["TASK"],
    to: "PERFORMING",
    who: "runner",
    note: "",
  },
  {
    name: "planOk",
    command: "planned",
    kinds: PLANNED_KINDS,
    from: ["PLANNING"],
    legs: PLAN_LEGS,
    to: "POLICY_CHECKING",
    when: ["hasPolicies"],
    who: "runner",
    note: "Stores the plan; policies judge it.",
  },
  ...afterPlan("planned", "PLANNING"),
  {
    name: "denied",
    command: "judged",
    kinds: PLANNED_KINDS,
    from: ["POLICY_CHECKING"],
    legs: PLAN_LEGS,
    to: "REJECTED",
    when: ["policyDenied"],
    who: "system",
    note: "By a mandatory policy.",
  },
  ...afterPlan("judged", "POLICY_CHECKING"),
  // ---------------------------------------------------------------- gates
  {
    name: "recordApproval",
    command: "approvePlan",
    kinds: ALL,
    from: ["AWAITING_PLAN_APPROVAL"],
    legs: EVERY_LEG,
    to: null,
    when: ["quorumMissing"],
    who: "approver",
    note: "More people must approve.",
  },
  {
    name: "approvePlan",
    command: "approvePlan",
    kinds: ["PLAN"],
    from: ["AWAITING_PLAN_APPROVAL"],
    legs: ["PLAN"],
    to: "FINISHED",
    outcome: "PLANNED",
    who: "approver",
    note: "The last stage's quorum is reached.",
  },
  {
    name: "approvePlan",
    command: "approvePlan",
    kinds: GATED,
    from: ["AWAITING_PLAN_APPROVAL"],
    legs: EVERY_LEG,
    to: "AWAITING_APPLY_APPROVAL",
    when: ["applyGateRequired"],
    who: "approver",
    note: "The last stage's quorum is reached; the apply gate is next.",
  },
  {
    name: "approvePlan",
    command: "approvePlan",
    kinds: GATED,
    from: ["AWAITING_PLAN_APPROVAL"],
    legs: EVERY_LEG,
    to: "CONFIRMED",
    leg: "execution",
    who: "approver",
    note: "The last stage's quorum is reached; auto-apply covers the plan.",
  },
  {
    name: "reject",
    command: "reject",
    kinds: ALL,
    from: ["AWAITING_PLAN_APPROVAL"],
    legs: EVERY_LEG,
    to: "REJECTED",
    who: "approver, policy, time-out",
    note: "At the plan gate only.",
  },
  {
    name: "recordApproval",
    command: "approveApply",
    kinds: ALL,
    from: ["AWAITING_APPLY_APPROVAL"],
    legs: EVERY_LEG,
    to: null,
    when: ["quorumMissing"],
    who: "approver",
    note: "More people must approve.",
  },
  {
    name: "approveApply",
    command: "approveApply",
    kinds: ALL,
    from: ["AWAITING_APPLY_APPROVAL"],
    legs: EVERY_LEG,
    to: "CONFIRMED",
    leg: "execution",
    who: "approver",
    note: "The plan is current and the state has not moved, else StalePlanError and the run as it was.",
  },
  {
    name: "discard",
    command: "discard",
    kinds: ALL,
    from: GATES,
    legs: EVERY_LEG,
    to: "DISCARDED",
    who: "user; system: expired, superseded, stale",
    note: "Nothing was changed.",
  },
  {
    name: "replan",
    command: "replan",
    kinds: DEPLOYING,
    from: GATES,
    legs: PLAN_LEGS,
    to: "REPLAN_REQUESTED",
    leg: "REPLAN",
    who: "user",
    note: "Voids all approvals of the older plan, which stays visible.",
  },
  // ---------------------------------------------------------------- ends
  {
    name: "skipApply",
    command: "skipApply",
    kinds: GATED,
    from: ["PREPARING"],
    legs: APPLY_LEGS,
    to: "FINISHED",
    outcome: "APPLY_SKIPPED",
    when: ["skipsApply"],
    who: "system",
    note: "The workspace says `HOLDPOINT_SKIP_APPLYING=true`.",
  },
  {
    name: "applyOk",
    command: "applied",
    kinds: GATED,
    from: ["APPLYING"],
    legs: APPLY_LEGS,
    to: "VERIFYING",
    when: ["hasProbes"],
    who: "runner",
    note: "New state version; post-apply probes follow.",
  },
  {
    name: "applyOk",
    command: "applied",
    kinds: GATED,
    from: ["APPLYING"],
    legs: ["APPLY"],
    to: "FINISHED",
    outcome: "APPLIED",
    who: "runner",
    note: "New state version and outputs.",
  },
  {
    name: "applyOk",
    command: "applied",
    kinds: ["DESTROY"],
    from: ["APPLYING"],
    legs: ["DESTROY"],
    to: "FINISHED",
    outcome: "DESTROYED",
    who: "runner",
    note: "New state version.",
  },
  {
    name: "applyFailed",
    command: "fail",
    kinds: GATED,
    from: ["APPLYING"],
    legs: APPLY_LEGS,
    to: "FAILED",
    who: "runner",
    note: "APPLY_FAILED, APPLY_PARTIAL, DESTROY_FAILED, APPLY_INTERRUPTED, PLAN_STALE or STATE_NOT_SAVED.",
  },
  {
    name: "verifyOk",
    command: "verified",
    kinds: GATED,
    from: ["VERIFYING"],
    legs: ["APPLY"],
    to: "FINISHED",
    outcome: "APPLIED",
    who: "system",
    note: "",
  },
  {
    name: "verifyOk",
    command: "verified",
    kinds: ["DESTROY"],
    from: ["VERIFYING"],
    legs: ["DESTROY"],
    to: "FINISHED",
    outcome: "DESTROYED",
    who: "system",
    note: "",
  },
  {
    name: "verifyFailed",
    command: "fail",
    kinds: GATED,
    from: ["VERIFYING"],
    legs: APPLY_LEGS,
    to: "FAILED",
    who: "system",
    note: "DEPLOYMENT_VERIFICATION_FAILED; may create a ROLLBACK run.",
  },
  {
    name: "performOk",
    command: "performed",
    kinds: ["TASK"],
    from: ["PERFORMING"],
    legs: ["TASK"],
    to: "FINISHED",
    outcome: "PERFORMED",
    who: "runner",
    note: "",
  },
  {
    name: "performOk",
    command: "performed",
    kinds: ["UNLOCK"],
    from: ["PERFORMING"],
    legs: ["TASK"],
    to: "FINISHED",
    outcome: "UNLOCKED",
    who: "runner",
    note: "",
  },
  {
    name: "error",
    command: "fail",
    kinds: ALL,
    from: [...BEFORE_APPLY, "POLICY_CHECKING", "PERFORMING"],
    legs: EVERY_LEG,
    to: "FAILED",
    who: "runner, system",
    note: "The failure says why.",
  },
  {
    name: "queueTimeout",
    command: "queueTimeout",
    kinds: ALL,
    from: QUEUES,
    legs: EVERY_LEG,
    to: "TIMED_OUT",
    who: "system",
    note: "QUEUE_TIMED_OUT; only where a queue limit is set.",
  },
  {
    name: "timeout",
    command: "timeout",
    kinds: ALL,
    from: EXECUTING,
    legs: EVERY_LEG,
    to: "TIMED_OUT",
    who: "system",
    note: "The limit of run time or silence: SIGINT, a grace, SIGKILL of the group.",
  },
];
