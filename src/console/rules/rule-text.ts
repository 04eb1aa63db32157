/** Rules of approvals, in words. */
import type { ApprovalRuleItemFragment } from "../generated/graphql.ts";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";

export type Rule = ApprovalRuleItemFragment;
export type Condition = NonNullable<Rule["when"]>;

/** Describes the approvals that a rule demands. */
export function ruleText(rule: Rule): string {
  const { minimum, gate, kinds, approvers, teams } = rule;
  const people = [
    ...teams.map(({ name }) => `the team ${visible(name)}`),
    ...approvers.map(({ name }) => visible(name)),
  ];
  const notes = [
    rule.excludeRequester && "not by who asked for the plan",
    rule.distinctFromPlanApprover && "not by who approved the plan",
    rule.commentRequired && "with a comment",
    rule.requirePresence && "by people who have just signed in",
    rule.machinesCount && "machines count",
  ];
  return [
    `${minimum} ${minimum === 1 ? "approval" : "approvals"} at the ${wordsOf(gate)} gate`,
    `by ${people.length === 0 ? "anyone who may approve" : people.join(" or ")}`,
    ...notes.filter((note) => note !== false),
    kinds.length > 0 && `for runs of the kinds ${kinds.map(wordsOf).join(", ")}`,
  ]
    .filter((part) => part !== false)
    .join(", ");
}

/** Describes the runs that a rule is for, behind "only of runs". */
export function conditionText(condition: Condition): string {
  const { minDestructions, minReplacements, monthlyCostDeltaOver, resourceTypes, labels, triggers } = condition;
  const parts = [
    minDestructions != null && `that destroy ${minDestructions} or more`,
    minReplacements != null && `that replace ${minReplacements} or more`,
    monthlyCostDeltaOver != null && `that raise the monthly cost by more than ${monthlyCostDeltaOver}`,
    resourceTypes.length > 0 && `that change ${resourceTypes.map(visible).join(", ")}`,
    labels.length > 0 && `of workspaces with ${labels.map(visible).join(", ")}`,
    triggers.length > 0 && `with the trigger ${triggers.map(wordsOf).join(", ")}`,
  ];
  return parts.filter((part) => part !== false).join(" and ");
}

/** Gives a length in days, hours and minutes: `14 d`, `2 d 12 h`. */
export function lengthOf(minutes: number): string {
  const parts = [
    [Math.floor(minutes / 1440), "d"],
    [Math.floor((minutes % 1440) / 60), "h"],
    [minutes % 60, "min"],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(" ");
}
