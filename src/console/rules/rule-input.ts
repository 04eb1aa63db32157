/** Approval rules and freeze windows as the API takes them: from what it returns, and from forms. */
import type {
  ApprovalRuleInput,
  ApprovalRuleItemFragment,
  FreezeWindowInput,
  FreezeWindowItemFragment,
  Gate,
  RuleConditionInput,
  RunKind,
  RunTrigger,
} from "../generated/graphql.ts";
import { checkedOf, entriesOfField, numberOfField, textOfField } from "../parts/field.ts";

/** The kinds of runs that wait at each gate. */
export const GATE_KINDS: Readonly<Record<Gate, readonly RunKind[]>> = {
  PLAN: ["DEPLOY", "DESTROY", "APPLY", "PLAN"],
  APPLY: ["DEPLOY", "DESTROY", "APPLY", "TASK"],
};

/** The causes of runs that a person can choose; the compiler finds one that is missing. */
export const TRIGGERS: Readonly<Record<RunTrigger, string>> = {
  MANUAL: "a person",
  API: "a machine",
  SCHEDULE: "a schedule",
  PUSH: "a push",
  TAG: "a tag",
  PULL_REQUEST: "a pull request (not yet)",
  DEPENDENCY: "a workspace that this one depends on",
  DRIFT: "a check for drift",
  INBOUND_HOOK: "an inbound hook",
  PROMOTION: "a promotion",
  RETRY: "a retry",
  ROLLBACK: "a rollback",
  POLICY: "a policy (not yet)",
};

const isKind = (value: string): value is RunKind =>
  [...GATE_KINDS.PLAN, ...GATE_KINDS.APPLY].some((kind) => kind === value);
const isTrigger = (value: string): value is RunTrigger => value in TRIGGERS;

/** Converts an approval rule that the API returned. */
export function ruleInputOf(rule: ApprovalRuleItemFragment): ApprovalRuleInput {
  const { name, gate, kinds, minimum, approvers, teamIds, when } = rule;
  const { excludeRequester, distinctFromPlanApprover, commentRequired, requirePresence, machinesCount } = rule;
  return {
    name,
    gate,
    kinds,
    minimum,
    approverIds: approvers.map(({ id }) => id),
    teamIds,
    excludeRequester,
    distinctFromPlanApprover,
    commentRequired,
    requirePresence,
    machinesCount,
    when: when == null ? null : conditionInputOf(when),
  };
}

function conditionInputOf(when: NonNullable<ApprovalRuleItemFragment["when"]>): RuleConditionInput {
  const { minDestructions, minReplacements, monthlyCostDeltaOver, resourceTypes, labels, triggers } = when;
  return { minDestructions, minReplacements, monthlyCostDeltaOver, resourceTypes, labels, triggers };
}

/** Converts a freeze window that the API returned. */
export function windowInputOf({ name, cron, timeZone, durationMinutes }: FreezeWindowItemFragment): FreezeWindowInput {
  return { name, cron, timeZone, durationMinutes };
}

/** Reads an approval rule from its form. */
export function readRule(form: HTMLFormElement): ApprovalRuleInput {
  const flags = checkedOf(form, "flags");
  const gate: Gate = textOfField(form, "gate") === "PLAN" ? "PLAN" : "APPLY";
  return {
    name: textOfField(form, "name"),
    gate,
    kinds: checkedOf(form, "kinds").filter(isKind),
    minimum: numberOfField(form, "minimum") ?? 0,
    approverIds: checkedOf(form, "approverIds"),
    teamIds: checkedOf(form, "teamIds"),
    excludeRequester: flags.includes("excludeRequester"),
    distinctFromPlanApprover: flags.includes("distinctFromPlanApprover"),
    commentRequired: flags.includes("commentRequired"),
    requirePresence: flags.includes("requirePresence"),
    machinesCount: flags.includes("machinesCount"),
    when: readCondition(form),
  };
}

function readCondition(form: HTMLFormElement): RuleConditionInput | null {
  const when = {
    minDestructions: numberOfField(form, "minDestructions"),
    minReplacements: numberOfField(form, "minReplacements"),
    monthlyCostDeltaOver: numberOfField(form, "monthlyCostDeltaOver"),
    // A glob of types may have commas, and no spaces.
    resourceTypes: textOfField(form, "resourceTypes").split(/\s+/).filter(Boolean),
    labels: entriesOfField(form, "labels"),
    triggers: checkedOf(form, "triggers").filter(isTrigger),
  };
  const isSet = Object.values(when).some((value) => (Array.isArray(value) ? value.length > 0 : value !== null));
  return isSet ? when : null;
}

/** Reads a freeze window from its form. */
export function readWindow(form: HTMLFormElement): FreezeWindowInput {
  return {
    name: textOfField(form, "name"),
    cron: textOfField(form, "cron"),
    timeZone: textOfField(form, "timeZone"),
    durationMinutes: numberOfField(form, "durationMinutes") ?? 0,
  };
}
