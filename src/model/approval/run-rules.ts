/** The rules of organizations and workspaces for their runs: limits, approvals, and times in which nothing is applied. */
import type { Gate } from "./approval.ts";
import type { RunKind } from "../lifecycle/run-kind.ts";
import type { RuleCondition } from "./rule-condition.ts";

/** The action for a run that waited at a gate for longer than its limit. ESCALATE: it keeps waiting, with a notification. */
export const APPROVAL_TIMEOUT_ACTIONS = ["END", "ESCALATE"] as const;
export type ApprovalTimeoutAction = (typeof APPROVAL_TIMEOUT_ACTIONS)[number];

/** Durations in milliseconds; `null` for no limit. */
export interface RunLimits {
  leaseMs: number;
  attemptsPerLeg: number;
  forceStopAfterMs: number;
  planMs: number;
  applyMs: number;
  /** The longest time without a line of output. */
  silenceMs: number;
  planApprovalMs: number | null;
  applyApprovalMs: number | null;
  approvalTimeoutAction: ApprovalTimeoutAction;
  /** The time in QUEUED and READY together, or in REPLAN_REQUESTED. */
  queueMs: number | null;
}

const MINUTE = 60_000;

export const DEFAULT_RUN_LIMITS: Readonly<RunLimits> = {
  leaseMs: 30_000,
  attemptsPerLeg: 3,
  forceStopAfterMs: MINUTE,
  planMs: 120 * MINUTE,
  applyMs: 24 * 60 * MINUTE,
  silenceMs: 30 * MINUTE,
  planApprovalMs: null,
  applyApprovalMs: null,
  approvalTimeoutAction: "END",
  queueMs: null,
};

/** A stage of a gate: how many people must approve, and which. Stages are passed in order. */
export interface ApprovalRule {
  /** Unique among the rules of its organization or workspace. */
  name: string;
  gate: Gate;
  /** The kinds of runs that it applies to. */
  kinds: RunKind[];
  minimum: number;
  /** Actors whose approval counts, beside the members of the teams; without both: any approver. */
  approverIds: string[];
  /** Teams whose members count: those who are members when they decide. */
  teamIds: string[];
  /** Four eyes: the creator of the run does not count. */
  excludeRequester: boolean;
  /** A person who approved the plan of the run does not count at its apply gate. */
  distinctFromPlanApprover: boolean;
  commentRequired: boolean;
  /** Machine users count as well, and users of whom it is not known which person they are. */
  machinesCount: boolean;
  /** An approval counts only from a session whose person has lately proved to be present. */
  requirePresence: boolean;
  /** The rule is a stage only of runs that match. Absent: of all runs of its kinds. */
  when?: RuleCondition;
}

/** An approval rule as a stage of a run that it applies to. */
export type Stage = Omit<ApprovalRule, "kinds" | "when">;

/** A time in which nothing is applied. */
export interface FreezeWindow {
  name: string;
  /** The start as a cron expression with five fields, in the time zone. */
  cron: string;
  durationMs: number;
  /** The IANA name. */
  timeZone: string;
}

/** The rules of an organization or a workspace. An absent limit is inherited. */
export interface RunRules {
  limits: Partial<RunLimits>;
  approvalRules: readonly ApprovalRule[];
  freezeWindows: readonly FreezeWindow[];
}

export const EMPTY_RULES: RunRules = { limits: {}, approvalRules: [], freezeWindows: [] };

/** The rules that apply to the runs of a workspace. */
export interface EffectiveRules extends RunRules {
  limits: RunLimits;
}

/**
 * Merges rules: limits of the workspace take precedence; approval rules and windows are joined, those of the
 * organization first.
 */
export function effectiveRules(organization: RunRules, workspace: RunRules): EffectiveRules {
  return {
    limits: { ...DEFAULT_RUN_LIMITS, ...organization.limits, ...workspace.limits },
    approvalRules: [...organization.approvalRules, ...workspace.approvalRules],
    freezeWindows: [...organization.freezeWindows, ...workspace.freezeWindows],
  };
}

/**
 * Whether another person than at the plan gate must approve the apply of a run of a kind, if each condition matches. A plan of
 * a PLAN run is applied by an APPLY.
 */
export function separatesGates({ approvalRules }: Pick<RunRules, "approvalRules">, kind: RunKind): boolean {
  const applied = kind === "PLAN" ? "APPLY" : kind;
  return approvalRules.some((rule) => rule.kinds.includes(applied) && separates(rule));
}

/** Whether a stage of the apply gate asks for other people than the plan gate. */
export function separates({ gate, distinctFromPlanApprover, machinesCount }: Stage): boolean {
  return gate === "APPLY" && distinctFromPlanApprover && !machinesCount;
}

/** The rules without a condition that are the stages of a gate for runs of a kind, in order. */
export function stagesOf(
  { approvalRules }: Pick<RunRules, "approvalRules">,
  gate: Gate,
  kind: RunKind,
): ApprovalRule[] {
  return approvalRules.filter((rule) => rule.gate === gate && rule.kinds.includes(kind) && rule.when === undefined);
}
