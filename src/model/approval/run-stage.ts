/** Stages that were decided for one plan of a run, beside those that its approval rules always define. */
import type { RunKind } from "../lifecycle/run-kind.ts";
import type { Gate } from "./approval.ts";
import { type ApprovalRule, type RunRules, separates, type Stage, stagesOf } from "./run-rules.ts";

/**
 * RULE: an approval rule whose condition matched. POLICY: a policy demands approvals. OVERRIDE: failures of a policy set that
 * must be overridden.
 */
export const STAGE_SOURCES = ["RULE", "POLICY", "OVERRIDE"] as const;
export type StageSource = (typeof STAGE_SOURCES)[number];

export interface StageOrigin {
  source: StageSource;
  /** Why the stage is one of the run, as sentences. */
  reason: string;
  /** The id of the policy set or the external check that demands it; `null` for a rule. */
  ownerId: string | null;
}

/** A stage of one plan version of a run. It never changes. */
export interface RunStage extends Stage {
  origin: StageOrigin;
}

/** A stage with the origin of one that was decided for the plan. */
export type StageOfRun = Stage & Partial<Pick<RunStage, "origin">>;

/** A run's kind and stages, with the rules of its workspace. */
export interface StagedRun {
  run: { kind: RunKind };
  rules: Pick<RunRules, "approvalRules">;
  /** The stages that were decided for its current plan, in order. */
  stages: readonly RunStage[];
  /** Its plan was approved in its PLAN run: at the plan gate policies alone ask. */
  planApproved?: boolean;
}

/** Returns the stages of a gate of a run, in order; empty: one approval by any approver. */
export function stagesAt({ run, rules, stages, planApproved = false }: StagedRun, gate: Gate): StageOfRun[] {
  const decided = stages.filter((stage) => stage.gate === gate);
  const policies = ofPolicies(decided);
  if (gate === "PLAN" && planApproved && policies.length > 0) return policies;
  return [...stagesOf(rules, gate, run.kind), ...decided];
}

/** Returns the stages that policies and external checks demand. */
function ofPolicies(stages: readonly RunStage[]): RunStage[] {
  return stages.filter(({ origin }) => origin.source !== "RULE");
}

/** Returns the rules with a condition that may be stages of a run of a kind, in order. */
export function conditionalRules({ approvalRules }: Pick<RunRules, "approvalRules">, kind: RunKind): ApprovalRule[] {
  return approvalRules.filter((rule) => rule.when !== undefined && rule.kinds.includes(kind));
}

/**
 * Whether another person than at the plan gate must approve the apply of a run. The plan of a PLAN run is applied by an APPLY,
 * whose conditions are not decided yet: all of them count.
 */
export function separatesGatesOf({ run: { kind }, rules: { approvalRules }, stages }: StagedRun): boolean {
  const applied = kind === "PLAN" ? "APPLY" : kind;
  const always = approvalRules.filter((rule) => kind === "PLAN" || rule.when === undefined);
  return stages.some(separates) || always.some((rule) => rule.kinds.includes(applied) && separates(rule));
}
