/** The condition of an approval rule, as input. */
import type { RuleCondition } from "../../model/approval/rule-condition.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { isLabel, LABEL_WORDS } from "../../model/workspace/label.ts";
import type { InputCheck } from "../kit/input.ts";
import { pathPattern, patternProblem } from "../kit/patterns.ts";

export type RuleConditionInput = { [Key in keyof RuleCondition]?: RuleCondition[Key] | null | undefined };

export function toCondition(input: RuleConditionInput): RuleCondition {
  return {
    minDestructions: input.minDestructions ?? null,
    minReplacements: input.minReplacements ?? null,
    resourceTypes: input.resourceTypes ?? [],
    labels: input.labels ?? [],
    triggers: input.triggers ?? [],
    monthlyCostDeltaOver: input.monthlyCostDeltaOver ?? null,
  };
}

const TYPE = /^[A-Za-z0-9_*?[\]{},!-]+$/;

/** Checks that a condition asks for something, and that it can match. */
export function checkCondition(check: InputCheck, path: string, when: RuleCondition): void {
  const { minDestructions, minReplacements, resourceTypes, labels, triggers, monthlyCostDeltaOver } = when;
  const isSet = [minDestructions, minReplacements, monthlyCostDeltaOver].some((value) => value !== null);
  const hasList = [resourceTypes, labels, triggers].some((list) => list.length > 0);
  check.require(isSet || hasList, path, "must set a field. Leave `when` out for a rule that always applies.");
  checkCount(check, `${path}.minDestructions`, minDestructions);
  checkCount(check, `${path}.minReplacements`, minReplacements);
  checkList(check, `${path}.resourceTypes`, resourceTypes, (glob) => {
    const isText = glob.length <= LIMITS.nameLength && TYPE.test(glob);
    return isText && patternProblem(pathPattern, glob) === null
      ? null
      : "must be a type of resources, such as aws_iam_role, or a glob, such as aws_iam_*.";
  });
  checkList(check, `${path}.labels`, labels, (label) => (isLabel(label) ? null : `${LABEL_WORDS}.`));
  checkList(check, `${path}.triggers`, triggers, () => null);
  const cost = monthlyCostDeltaOver ?? 0;
  const isCost = Number.isFinite(cost) && cost >= 0 && cost <= LIMITS.conditionCost;
  check.require(isCost, `${path}.monthlyCostDeltaOver`, `must be from 0 to ${LIMITS.conditionCost}.`);
}

function checkCount(check: InputCheck, path: string, value: number | null): void {
  if (value !== null) check.require(value >= 1, path, "must be 1 or more.");
}

function checkList(
  check: InputCheck,
  path: string,
  values: readonly string[],
  problemOf: (value: string) => string | null,
): void {
  const most = LIMITS.conditionEntries;
  check.require(values.length <= most, path, `must have at most ${most} entries.`);
  check.require(new Set(values).size === values.length, path, "must name each entry once.");
  for (const [index, value] of values.slice(0, most).entries()) {
    const problem = problemOf(value);
    if (problem !== null) check.refuse(`${path}.${index}`, problem);
  }
}
