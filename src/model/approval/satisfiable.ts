/** Decides whether approval rules can be satisfied by the existing people. */
import type { Gate } from "./approval.ts";
import type { EligibleApprover } from "./eligible-approver.ts";
import { identityRefusal } from "./quorum.ts";
import { type ApprovalRule, separatesGates } from "./run-rules.ts";
import type { RunKind } from "../lifecycle/run-kind.ts";

/** Actors that can sign in or have a valid token. */
export interface People {
  approvers: readonly EligibleApprover[];
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
  const gatesSeparated = separatesGates({ approvalRules: context.rules }, kind);
  const allowed = allowedBy(rule, rule.gate, gatesSeparated, people);
  // If another person can create runs, the rule can be satisfied for those.
  const requester = rule.excludeRequester && people.creatorsOf(kind).every((id) => allowed.has(id)) ? 1 : 0;
  if (rule.gate === "PLAN" || !rule.distinctFromPlanApprover || kind === "TASK") return allowed.size - requester;
  const stages = context.rules.filter(({ gate, kinds }) => gate === "PLAN" && kinds.includes(kind));
  const spent = stages.map((stage) => ({
    count: spentAt(stage.minimum, allowedBy(stage, "PLAN", gatesSeparated, people), allowed),
    // The creator of the run may be among the approvers of its plan, and is then excluded only once.
    requester: stage.excludeRequester,
  }));
  if (stages.length === 0 && context.planAlways) {
    spent.push({ count: spentAt(1, allowedBy(null, "PLAN", gatesSeparated, people), allowed), requester: false });
  }
  const lost = spent.map((stage) => (stage.requester ? stage.count + requester : Math.max(stage.count, requester)));
  return allowed.size - Math.max(requester, ...lost);
}

/** Returns the ids of the actors that may approve at a gate and that a rule counts. */
function allowedBy(rule: ApprovalRule | null, gate: Gate, gatesSeparated: boolean, { approvers }: People): Set<string> {
  const counted = approvers.filter(
    (approver) => approver.gates.includes(gate) && identityRefusal(rule, { gate, gatesSeparated }, approver) === null,
  );
  return new Set(counted.map(({ actorId }) => actorId));
}

/** Returns how many approvers of the apply must approve the plan, because too few others may. */
function spentAt(minimum: number, planners: ReadonlySet<string>, appliers: ReadonlySet<string>): number {
  return Math.max(0, minimum - planners.difference(appliers).size);
}
