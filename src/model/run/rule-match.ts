/** Decides whether an approval rule with a condition applies to a run. */
import { asksForPlan, type RuleCondition } from "../approval/rule-condition.ts";
import type { RunTrigger } from "../lifecycle/run-kind.ts";
import { selects } from "../workspace/label.ts";

/** The properties of a plan that conditions ask about. */
export interface PlanFacts {
  destructions: number;
  replacements: number;
  /** The types of the resources that the plan changes. */
  types: readonly string[];
  /** `null` if no cost was estimated. */
  monthlyCostDelta: number | null;
}

/** Everything that conditions ask about. `plan`: `null` for a run without one. */
export interface ConditionFacts {
  trigger: RunTrigger;
  labels: readonly string[];
  plan: PlanFacts | null;
}

/** The answer to one part of a condition. `null`: it does not match. A text is the reason for which the rule applies. */
type Answer = string | null;

/**
 * Returns why a rule applies, as sentences; `null` if it does not. A part that cannot be decided counts as a match, so that a
 * missing estimate or plan never removes a stage. `globOf`: compiles a glob of types.
 */
export function reasonToApply(
  condition: RuleCondition,
  facts: ConditionFacts,
  globOf: (glob: string) => (text: string) => boolean,
): string | null {
  const { labels, triggers } = condition;
  const answers: Answer[] = [];
  if (labels.length > 0) answers.push(ofLabels(labels, facts.labels));
  if (triggers.length > 0) {
    answers.push(triggers.includes(facts.trigger) ? `The run has the trigger ${facts.trigger}.` : null);
  }
  if (asksForPlan(condition)) {
    const { plan } = facts;
    if (plan === null) answers.push("The run has no plan, so its changes are not known.");
    else answers.push(...ofPlan(condition, plan, globOf));
  }
  return answers.every((answer) => answer !== null) ? answers.join(" ") : null;
}

function ofLabels(selectors: readonly string[], labels: readonly string[]): Answer {
  const found = selectors.find((selector) => selects(selector, labels));
  return found === undefined ? null : `The workspace has the label ${found}.`;
}

function ofPlan(
  { minDestructions, minReplacements, resourceTypes, monthlyCostDeltaOver }: RuleCondition,
  { destructions, replacements, types, monthlyCostDelta }: PlanFacts,
  globOf: (glob: string) => (text: string) => boolean,
): Answer[] {
  const answers: Answer[] = [];
  if (minDestructions !== null) {
    answers.push(destructions >= minDestructions ? `The plan destroys ${resources(destructions)}.` : null);
  }
  if (minReplacements !== null) {
    answers.push(replacements >= minReplacements ? `The plan replaces ${resources(replacements)}.` : null);
  }
  if (resourceTypes.length > 0) {
    const globs = resourceTypes.map(globOf);
    const found = types.find((type) => globs.some((matches) => matches(type)));
    answers.push(found === undefined ? null : `The plan changes resources of the type ${found}.`);
  }
  if (monthlyCostDeltaOver !== null) answers.push(ofCost(monthlyCostDelta, monthlyCostDeltaOver));
  return answers;
}

function ofCost(delta: number | null, over: number): Answer {
  if (delta === null) return "The cost of the plan is not known.";
  return delta > over ? `The plan raises the monthly cost by ${delta}, which is more than ${over}.` : null;
}

function resources(count: number): string {
  return count === 1 ? "1 resource" : `${count} resources`;
}
