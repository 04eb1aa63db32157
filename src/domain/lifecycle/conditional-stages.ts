/** Decides which approval rules with a condition are stages of a run, for each version of its plan. */
import type { ApprovalRule } from "../../model/approval/run-rules.ts";
import { conditionalRules, type RunStage } from "../../model/approval/run-stage.ts";
import type { Plan } from "../../model/plan/plan.ts";
import { type PlanFacts, reasonToApply } from "../../model/run/rule-match.ts";
import type { Run } from "../../model/run/run.ts";
import type { Reader } from "../../persistence/database/database.ts";
import { findPlanCost, isCostAsked } from "../../persistence/plan/plan-cost-store.ts";
import { findNewestPlan } from "../../persistence/plan/plan-store.ts";
import { listChangedTypes } from "../../persistence/plan/resource-change-store.ts";
import { pathPattern } from "../kit/patterns.ts";
import type { WorkspaceContext } from "./machine-input.ts";

type Context = Pick<WorkspaceContext, "workspace" | "rules">;

/**
 * Returns the stages of a plan that was just stored, with its cost. Rules about the cost wait for the external checks that
 * estimate it. Without such rules, this costs no statement.
 */
export async function decideStages(
  reader: Reader,
  { run, ...context }: Context & { run: Pick<Run, "kind" | "trigger"> },
  plan: Plan,
): Promise<RunStage[]> {
  const all = conditionalRules(context.rules, run.kind);
  const isAsked =
    all.some(asksForCost) && (await isCostAsked(reader, { runId: plan.runId, planVersion: plan.version }));
  const rules = isAsked ? all.filter((rule) => !asksForCost(rule)) : all;
  return rules.length === 0 ? [] : matching(rules, run, context, await readFacts(reader, rules, plan));
}

/**
 * Returns the stages of rules about the cost of a plan that external checks have estimated since it was stored. Those that the
 * run has already are left out.
 */
export async function decideCostStages(reader: Reader, locked: Context & StagedPlan): Promise<RunStage[]> {
  const { run, plan, stages, ...context } = locked;
  const rules = conditionalRules(context.rules, run.kind).filter(asksForCost);
  if (rules.length === 0 || !(await isCostAsked(reader, { runId: run.id, planVersion: plan.version }))) return [];
  const decided = matching(rules, run, context, await readFacts(reader, rules, plan));
  const has = ({ name, gate }: RunStage): boolean => stages.some((one) => one.name === name && one.gate === gate);
  return decided.filter((stage) => !has(stage));
}

interface StagedPlan {
  run: Pick<Run, "id" | "kind" | "trigger">;
  plan: Plan;
  stages: readonly RunStage[];
}

function asksForCost({ when }: ApprovalRule): boolean {
  return when !== undefined && when.monthlyCostDeltaOver !== null;
}

/**
 * Returns the stages of a new run that gets no plan of its own: an APPLY, for the plan that it applies, and a TASK. Those of
 * other runs are decided for each of their plans.
 */
export async function stagesOfOrder(
  reader: Reader,
  context: Context,
  run: Pick<Run, "kind" | "trigger" | "planRunId">,
): Promise<RunStage[]> {
  if (run.kind !== "APPLY" && run.kind !== "TASK") return [];
  const rules = conditionalRules(context.rules, run.kind);
  if (rules.length === 0) return [];
  const plan = run.planRunId === null ? null : await findNewestPlan(reader, run.planRunId);
  return matching(rules, run, context, plan && (await readFacts(reader, rules, plan)));
}

function matching(
  rules: readonly ApprovalRule[],
  { trigger }: Pick<Run, "trigger">,
  { workspace: { labels } }: Context,
  plan: PlanFacts | null,
): RunStage[] {
  return rules.flatMap(({ when, kinds: _kinds, ...stage }) => {
    const reason = when === undefined ? null : reasonToApply(when, { trigger, labels, plan }, pathPattern);
    return reason === null ? [] : [{ ...stage, origin: { source: "RULE", reason, ownerId: null } }];
  });
}

/** Reads what the conditions ask about, and nothing else. */
async function readFacts(
  reader: Reader,
  rules: readonly ApprovalRule[],
  { id, destructions, replacements }: Plan,
): Promise<PlanFacts> {
  const asks = rules.flatMap(({ when }) => when ?? []);
  const types = asks.some(({ resourceTypes }) => resourceTypes.length > 0) ? await listChangedTypes(reader, id) : [];
  const costs = asks.some(({ monthlyCostDeltaOver }) => monthlyCostDeltaOver !== null);
  return { destructions, replacements, types, monthlyCostDelta: costs ? await findPlanCost(reader, id) : null };
}
