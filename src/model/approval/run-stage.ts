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
  /** The policy set that demands it; `null` for a rule. */
  setId: string | null;
}

/** A stage of one plan version of a run. It never changes. */
export interface RunStage extends Stage {
  origin: StageOrigin;
}

/** A run's kind and stages, with the rules of its workspace. */
export interface StagedRun {
  run: { kind: RunKind };
  rules: Pick<RunRules, "approvalRules">;
  /** The stages that were decided for its current plan, in order. */
  stages: readonly RunStage[];
}

/** Returns the stages of a gate of a run, in order; empty: one approval by any approver. */
export function stagesAt({ run, rules, stages }: StagedRun, gate: Gate): Stage[] {
  return [...stagesOf(rules, gate, run.kind), ...stages.filter((stage) => stage.gate === gate)];
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
