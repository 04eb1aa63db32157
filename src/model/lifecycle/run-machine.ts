/** Decides what a command does to a run, by the table in run-transitions.ts. Pure. */
import { type AutoApply, type AutoApplyPlan, autoApplyAllows } from "../plan/auto-apply.ts";
import { staleReason } from "../plan/plan.ts";
import type { RunKind, RunLeg, RunOutcome } from "./run-kind.ts";
import { type RunStatus, STATUS_TRAITS } from "./run-status.ts";
import { type Guard, type RunCommandType, TRANSITIONS, type Transition } from "./run-transitions.ts";

export const PLAN_APPROVAL_MODES = ["ALWAYS", "WHEN_REQUIRED"] as const;
/** ALWAYS: two-phase approval. WHEN_REQUIRED: the plan gate opens only where a policy or rule asks. */
export type PlanApprovalMode = (typeof PLAN_APPROVAL_MODES)[number];

/** The properties of the current plan that decisions depend on. */
export interface MachinePlan extends AutoApplyPlan {
  version: number;
  hasChanges: boolean;
  stateSerial: number;
}

/** `plan`: also a plan without changes, if a policy set judges those. */
export interface JudgedPoints {
  prePlan: boolean;
  plan: boolean;
  preApply: boolean;
}

/** The result of a judgement. "asks": people may override what it found, or must approve. */
export type JudgedVerdict = "passed" | "asks" | "denied";

/** Everything that a decision depends on, read under the run's row lock. */
export interface MachineInput {
  kind: RunKind;
  status: RunStatus;
  leg: RunLeg;
  /** Counted attempts of this leg. */
  attempt: number;
  /** The newest plan; null before the first one. */
  plan: MachinePlan | null;
  /** The state that a rollback restores, which its approvers saw. Absent for any other run. */
  rollback?: { stateSerial: number } | null;
  /** When a stop was first requested, as milliseconds since the epoch. */
  stopRequestedAtMs: number | null;
  workspace: {
    planApproval: PlanApprovalMode;
    autoApply: AutoApply;
    interruptApply: boolean;
    skipApplying: boolean;
    locked: boolean;
    /** Nothing may be applied now. */
    frozen: boolean;
    stateSerial: number;
  };
  /** Gates that an approval rule requires. */
  rules: { plan: boolean; apply: boolean };
  /** The plan passed the plan gate before: in its PLAN run, if the run is an APPLY. */
  planApproved: boolean;
  /** The points at which policies or external checks judge it, and have not yet. */
  policies: JudgedPoints;
  /** The warnings about the newest plan that stop auto-apply, and that no approver of the plan has accepted. */
  warnings: number;
  probes: boolean;
  limits: { attempts: number; forceAfterMs: number };
}

/** A command with the arguments that decisions depend on. */
export type RunCommand =
  | { type: Exclude<RunCommandType, "cancel" | "leaseLost" | "planned" | "judged" | "preJudged" | DecisionCommandType> }
  | { type: "cancel"; force: boolean; atMs: number }
  | { type: "leaseLost"; handedBack: boolean }
  | { type: "planned"; plan: MachinePlan /** Those about the run itself. */; warnings: number }
  | { type: "judged"; plan: MachinePlan; verdict: JudgedVerdict; warnings: number }
  | { type: "preJudged"; verdict: JudgedVerdict }
  | { type: "approvePlan" | "approveApply"; planVersion: number; quorumReached: boolean }
  | { type: "withdrawPlan" | "withdrawApply"; quorumReached: boolean }
  | { type: "autoApply" | "reject" | "replan"; planVersion: number }
  | { type: "discard"; planVersion: number | null };
type DecisionCommandType =
  | "approvePlan"
  | "approveApply"
  | "withdrawPlan"
  | "withdrawApply"
  | "autoApply"
  | "reject"
  | "replan"
  | "discard";

/** A refused command with its reason: the fourth to sixth errors in the order of refusals. */
export interface RefusedTransition {
  accepted: false;
  code: "RUN_STATE_CONFLICT" | "STALE_PLAN";
  reason: string;
}

export interface AcceptedTransition {
  accepted: true;
  /** The row of the table that applies. */
  name: string;
  /** `null`: the status stays. */
  change: { status: RunStatus; leg: RunLeg; outcome: RunOutcome | null } | null;
  /** Auto-apply covers the plan, and only a freeze window delays it. */
  held?: true;
}

export type Decision = AcceptedTransition | RefusedTransition;

const GUARDS = {
  hasPolicies: (run) => run.policies.plan,
  hasPreApplyChecks: (run) => run.policies.preApply,
  noChanges: (_run, command) => "plan" in command && !command.plan.hasChanges,
  policyDenied: (_run, command) =>
    (command.type === "judged" && command.verdict === "denied") ||
    (command.type === "preJudged" && command.verdict !== "passed"),
  planGateRequired: (run, command) =>
    (command.type === "judged" && command.verdict === "asks") ||
    (!run.planApproved && (run.rules.plan || (run.kind !== "PLAN" && run.workspace.planApproval === "ALWAYS"))),
  applyGateRequired: (run, command) => !autoApplies(withWarnings(run, command), run.plan),
  autoApplies: (run, command) => autoApplies(withWarnings(run, command), planOf(run, command)),
  skipsApply: (run) => run.workspace.skipApplying,
  quorumMissing: (_run, command) => "quorumReached" in command && !command.quorumReached,
  replanned: (run) => (run.plan?.version ?? 0) > 1,
  hasProbes: (run) => run.probes,
  forced: (_run, command) => command.type === "cancel" && command.force,
  stopRequested: (run) => run.stopRequestedAtMs !== null,
  stopRequestOld: (run, command) =>
    command.type === "cancel" &&
    run.stopRequestedAtMs !== null &&
    command.atMs - run.stopRequestedAtMs >= run.limits.forceAfterMs,
  interruptAllowed: (run) => run.workspace.interruptApply,
  attemptsExhausted: (run, command) =>
    command.type === "leaseLost" && !command.handedBack && run.attempt >= run.limits.attempts,
} as const satisfies Record<Guard, (run: MachineInput, command: RunCommand) => boolean>;

/**
 * Whether auto-apply covers a plan. Never for a DESTROY, in a locked or frozen workspace, if approvals are required, or
 * after a warning.
 */
export function autoApplies(run: MachineInput, plan: MachinePlan | null): boolean {
  return (
    plan !== null &&
    run.kind !== "DESTROY" &&
    run.warnings === 0 &&
    run.workspace.planApproval !== "ALWAYS" &&
    !run.rules.apply &&
    !run.workspace.locked &&
    !run.workspace.frozen &&
    autoApplyAllows(run.workspace.autoApply, plan)
  );
}

/** Returns the plan that a command reports, or else the newest one. */
function planOf(run: MachineInput, command: RunCommand): MachinePlan | null {
  return "plan" in command ? command.plan : run.plan;
}

/** Returns the run with the warnings at hand: a new plan has none yet, but the run itself may have some. */
function withWarnings(run: MachineInput, command: RunCommand): MachineInput {
  if (command.type === "judged") return { ...run, warnings: command.warnings };
  return command.type === "planned" ? { ...run, warnings: command.warnings } : run;
}

function heldByFreeze(run: MachineInput, plan: MachinePlan | null): boolean {
  return run.workspace.frozen && autoApplies({ ...run, workspace: { ...run.workspace, frozen: false } }, plan);
}

/** Decides one command. The run is not changed; the caller persists the result. */
export function decide(run: MachineInput, command: RunCommand): Decision {
  const rows = TRANSITIONS.filter(
    (row) =>
      row.command === command.type &&
      row.kinds.includes(run.kind) &&
      row.from?.includes(run.status) === true &&
      row.legs.includes(run.leg),
  );
  if (rows.length === 0) return conflict(run, command);
  const stale = staleness(run, command);
  if (stale !== null) return { accepted: false, code: "STALE_PLAN", reason: stale };
  const row = rows.find((candidate) => (candidate.when ?? []).every((guard) => GUARDS[guard](run, command)));
  if (row === undefined) return conflict(run, command);
  if (row.to === null) return { accepted: true, name: row.name, change: null };
  return {
    accepted: true,
    name: row.name,
    change: { status: row.to, leg: nextLeg(row, run.kind, run.leg), outcome: row.outcome ?? null },
    ...(row.holdable === true && heldByFreeze(withWarnings(run, command), planOf(run, command)) && { held: true }),
  };
}

/** Returns the leg of a run of this kind and leg after the row was taken. */
export function nextLeg(row: Transition, kind: RunKind, leg: RunLeg): RunLeg {
  if (row.leg === undefined) return leg;
  if (row.leg !== "execution") return row.leg;
  if (leg === "TASK") return "TASK";
  return kind === "DESTROY" ? "DESTROY" : "APPLY";
}

function staleness(run: MachineInput, command: RunCommand): string | null {
  if (!("planVersion" in command) || command.planVersion === null) return null;
  const current = run.plan?.version ?? 0;
  if (command.planVersion !== current) {
    return `The current plan is version ${current}, not ${command.planVersion}.`;
  }
  const begins = command.type === "approvePlan" || command.type === "approveApply" || command.type === "autoApply";
  const madeFrom = run.plan ?? run.rollback ?? null;
  return begins && madeFrom !== null ? staleReason(madeFrom, run.workspace) : null;
}

const WORDS: Partial<Record<RunCommandType, string>> = {
  approvePlan: "approve the plan of",
  approveApply: "approve the apply of",
  withdrawPlan: "withdraw an approval of the plan of",
  withdrawApply: "withdraw an approval of the apply of",
  reject: "reject the plan of",
  discard: "discard",
  replan: "replan",
  cancel: "cancel",
};

const TAKE_BACK = ": it is approved. An approver can take it back with `discardRun` or `withdrawApproval`";
const INTERRUPT =
  ": this workspace does not allow interrupting an apply. Wait for its end, or let an approver set " +
  "`interruptApply` with `updateWorkspace` and cancel again: the engine then stops and saves its state";

/** Advice for a run that cannot be cancelled. */
function insteadOfCancel({ status, workspace }: MachineInput): string {
  const { approved, changesInfrastructure } = STATUS_TRAITS[status];
  if (approved) return TAKE_BACK;
  return changesInfrastructure && !workspace.interruptApply ? INTERRUPT : "";
}

function conflict(run: MachineInput, command: RunCommand): RefusedTransition {
  const word = WORDS[command.type] ?? `${command.type}:`;
  const instead = command.type === "cancel" ? insteadOfCancel(run) : "";
  return {
    accepted: false,
    code: "RUN_STATE_CONFLICT",
    reason: `Cannot ${word} a run of kind ${run.kind} that is ${run.status}${instead}.`,
  };
}
