import type { Gate } from "../../model/approval/approval.ts";
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { ApprovalRule } from "../../model/approval/run-rules.ts";
import type { RunKind } from "../../model/lifecycle/run-kind.ts";
import { asksForPlan, type RuleCondition } from "../../model/approval/rule-condition.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkCondition, type RuleConditionInput, toCondition } from "./rule-condition-input.ts";

/** An approval rule as input; without `kinds` it applies to all kinds that wait at the gate. */
export type ApprovalRuleInput = Omit<ApprovalRule, "kinds" | "when"> & {
  kinds?: RunKind[] | null | undefined;
  when?: RuleConditionInput | null | undefined;
};

/** The kinds of runs that a rule of each gate can apply to. A PLAN run is included only if named. */
const KINDS: Record<Gate, readonly RunKind[]> = {
  PLAN: ["DEPLOY", "DESTROY", "APPLY", "PLAN"],
  APPLY: ["DEPLOY", "DESTROY", "APPLY", "TASK"],
};

export function toApprovalRules(inputs: readonly ApprovalRuleInput[]): ApprovalRule[] {
  return inputs.map(({ kinds, when, ...rule }) => {
    const condition = when ? toCondition(when) : null;
    const asked = KINDS[rule.gate].filter((kind) => kind !== "PLAN" && !(kind === "TASK" && needsPlan(condition)));
    return { ...rule, kinds: kinds ?? asked, ...(condition !== null && { when: condition }) };
  });
}

function needsPlan(condition: RuleCondition | null): boolean {
  return condition !== null && asksForPlan(condition);
}

/** Checks that approval rules are well-formed; `path` names their list. */
export function checkApprovalRules(check: InputCheck, path: string, rules: readonly ApprovalRule[]): void {
  const most = LIMITS.approvalRules;
  check.require(rules.length <= most, path, `must have at most ${most} rules.`);
  for (const [index, rule] of rules.slice(0, most).entries()) checkRule(check, `${path}.${index}`, rule, rules);
}

function checkRule(check: InputCheck, path: string, rule: ApprovalRule, all: readonly ApprovalRule[]): void {
  const { name, gate, kinds, minimum, approverIds, teamIds } = rule;
  check.label(`${path}.name`, name);
  const first = all.find((other) => other.name === name) === rule;
  check.require(first, `${path}.name`, "must be unique among the rules.");
  check.require(kinds.length > 0, `${path}.kinds`, "must name at least one kind.");
  const foreign = kinds.find((kind) => !KINDS[gate].includes(kind));
  check.require(
    foreign === undefined,
    `${path}.kinds`,
    `must not have ${foreign ?? ""}: no such run waits at this gate.`,
  );
  check.require(new Set(kinds).size === kinds.length, `${path}.kinds`, "must name each kind once.");
  if (rule.when !== undefined) {
    checkCondition(check, `${path}.when`, rule.when);
    const isPlanned = !kinds.includes("TASK") || !asksForPlan(rule.when);
    check.require(isPlanned, `${path}.kinds`, "must not have TASK: `when` asks about the plan, and a task has none.");
  }
  const people = LIMITS.approversPerRule;
  check.require(minimum >= 1 && minimum <= people, `${path}.minimum`, `must be from 1 to ${people}.`);
  check.require(approverIds.length <= people, `${path}.approverIds`, `must have at most ${people} entries.`);
  check.require(new Set(approverIds).size === approverIds.length, `${path}.approverIds`, "must name each actor once.");
  for (const [index, id] of approverIds.slice(0, people).entries()) {
    const kind = idKind(id);
    const person = kind === "user" || kind === "machineUser";
    check.require(person, `${path}.approverIds.${index}`, "must be the id of a user or of a machine user.");
    const counts = kind !== "machineUser" || rule.machinesCount;
    check.require(counts, `${path}.approverIds.${index}`, "must not be a machine user unless machinesCount is true.");
  }
  check.require(teamIds.length <= people, `${path}.teamIds`, `must have at most ${people} entries.`);
  check.require(new Set(teamIds).size === teamIds.length, `${path}.teamIds`, "must name each team once.");
  const isPossible = !rule.requirePresence || !rule.machinesCount;
  check.require(
    isPossible,
    `${path}.requirePresence`,
    "must not be true with machinesCount: a machine is never present.",
  );
}
