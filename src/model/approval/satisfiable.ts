/** Decides whether approval rules can be satisfied by the existing people. */
import type { Gate } from "./approval.ts";
import type { Approver } from "./approver.ts";
import type { ApprovalRule } from "./run-rules.ts";
import type { RunKind } from "../lifecycle/run-kind.ts";

/** Actors that can sign in or have a valid token. */
export interface People {
  approvers: readonly Approver[];
  /** Ids of the actors that may create runs of a kind. */
  creatorsOf: (kind: RunKind) => readonly string[];
}

export interface RuleContext {
  /** All rules that apply together with the checked one, including it. */
  rules: readonly ApprovalRule[];
  people: People;
  /** The plan gate asks for approval even without a rule. */
  planAlways: boolean;
}

/**
 * Returns an upper bound of the people who can approve by a rule, for the most restricted kind of runs. A rule that
 * needs more is unsatisfiable.
 */
export function mostApprovals(rule: ApprovalRule, context: RuleContext): number {
  return Math.min(...rule.kinds.map((kind) => mostOfKind(rule, kind, context)));
}

function mostOfKind(rule: ApprovalRule, kind: RunKind, context: RuleContext): number {
  const { people } = context;
  const allowed = allowedBy(rule, people);
  // If another person can create runs, the rule can be satisfied for those.
  const requester = rule.excludeRequester && people.creatorsOf(kind).every((id) => allowed.has(id)) ? 1 : 0;
  if (rule.gate === "PLAN" || !rule.distinctFromPlanApprover || kind === "TASK") return allowed.size - requester;
  const stages = context.rules.filter(({ gate, kinds }) => gate === "PLAN" && kinds.includes(kind));
  const spent = stages.map((stage) => ({
    count: spentAt(stage.minimum, allowedBy(stage, people), allowed),
    // The creator of the run may be among the approvers of its plan, and is then excluded only once.
    requester: stage.excludeRequester,
  }));
  if (stages.length === 0 && context.planAlways) {
    spent.push({ count: spentAt(1, approversAt("PLAN", people), allowed), requester: false });
  }
  const lost = spent.map((stage) => (stage.requester ? stage.count + requester : Math.max(stage.count, requester)));
  return allowed.size - Math.max(requester, ...lost);
}

function approversAt(gate: Gate, { approvers }: People): Set<string> {
  return new Set(approvers.filter(({ gates }) => gates.includes(gate)).map(({ actorId }) => actorId));
}

function allowedBy({ gate, approverIds }: ApprovalRule, people: People): Set<string> {
  const all = approversAt(gate, people);
  return approverIds.length === 0 ? all : all.intersection(new Set(approverIds));
}

/** Returns how many approvers of the apply must approve the plan, because too few others may. */
function spentAt(minimum: number, planners: ReadonlySet<string>, appliers: ReadonlySet<string>): number {
  return Math.max(0, minimum - planners.difference(appliers).size);
}
